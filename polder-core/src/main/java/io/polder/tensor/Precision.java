package io.polder.tensor;

import io.polder.files.Machine;
import java.util.Set;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;

/** In what numbers a network computes. Its weights, their gradients and the optimizer's memory are float32 in any case. */
public enum Precision {
    FLOAT32,
    /** Convolutions and matrix products on numbers of 16 bits (8 of them the exponent's), the rest in float32, as the engine's autocast decides. */
    BF16;

    private static final String LIMIT = "ONEDNN_MAX_CPU_ISA";

    /** What oneDNN takes as a limit that leaves AMX out; any other word, as none, leaves all to it. */
    private static final Pattern WITHOUT_TILES = Pattern.compile(
            "SSE41|AVX|AVX2(_VNNI(_2)?)?|AVX512_CORE(_VNNI|_BF16|_FP16)?|AVX10_1_512", Pattern.CASE_INSENSITIVE);

    private static final Set<String> FLAGS = new Machine().processorFlags();

    /** Ends when closed, on the thread that began it. */
    @FunctionalInterface
    public interface Casting extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * From now on, on this thread, the engine computes in this precision; when it is closed, as it did before. Safe to nest. Open it
     * around a forward pass, not around a backward one.
     *
     * @param images on the device that computes
     * @throws IllegalArgumentException if the engine would end the process
     */
    public Casting casting(Tensor images) {
        if (!images.is_cuda()) {
            requireNoTiles();
        }
        DeviceType type = images.is_cuda() ? DeviceType.CUDA : DeviceType.CPU;
        boolean enabled = torch.is_autocast_enabled(type);
        boolean cached = torch.is_autocast_cache_enabled();
        torch.ScalarType casts = torch.get_autocast_dtype(type);
        if (this == BF16) {
            torch.set_autocast_dtype(type, torch.ScalarType.BFloat16);
            // The cache keeps cast weights, and would serve the second pass of a step those of the first.
            torch.set_autocast_cache_enabled(false);
        }
        torch.set_autocast_enabled(type, this == BF16);
        return () -> {
            torch.set_autocast_enabled(type, enabled);
            torch.set_autocast_cache_enabled(cached);
            torch.set_autocast_dtype(type, casts);
        };
    }

    /**
     * Makes sure that this precision is one that the device computes in: a processor without it would do every operation in
     * software, many times slower than in float32.
     *
     * @throws IllegalArgumentException if it is not
     */
    public void requireFastOn(Device device) {
        if (this != BF16 || !device.isCpu()) {
            return;
        }
        if (!has(FLAGS, "avx512_bf16", "amx_bf16")) {
            throw new IllegalArgumentException(
                    "precision is bf16: this processor cannot compute in it (it has neither avx512_bf16 nor amx_bf16); use float32");
        }
        requireNoTiles();
    }

    /** In this build of the engine AMX's instructions are illegal ones: no tiles are configured before their first use. */
    private void requireNoTiles() {
        if (this == BF16 && mayUseTiles(FLAGS, System.getenv(LIMIT))) {
            throw new IllegalArgumentException(
                    "precision is bf16: on this processor, which has AMX, the engine would end the process; set "
                            + LIMIT + "=AVX512_CORE_FP16 in the environment, as ./polder does, or use float32");
        }
    }

    static boolean mayUseTiles(Set<String> flags, String limit) {
        return has(flags, "amx_tile", "amx_bf16")
                && (limit == null || !WITHOUT_TILES.matcher(limit).matches());
    }

    private static boolean has(Set<String> flags, String one, String other) {
        return flags.contains(one) || flags.contains(other);
    }
}
