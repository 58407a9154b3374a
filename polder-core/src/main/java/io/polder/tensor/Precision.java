package io.polder.tensor;

import io.polder.files.Machine;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;

/** In what numbers a network computes. Its weights, their gradients and the optimizer's memory are float32 in any case. */
public enum Precision {
    FLOAT32,
    /** Convolutions and matrix products on numbers of 16 bits (8 of them the exponent's), the rest in float32, as the engine's autocast decides. */
    BF16;

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
     */
    public Casting casting(Tensor images) {
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
        if (this == BF16 && device.isCpu() && !processorHasBf16()) {
            throw new IllegalArgumentException(
                    "precision is bf16: this processor cannot compute in it (it has neither avx512_bf16 nor amx_bf16); use float32");
        }
    }

    private static boolean processorHasBf16() {
        var flags = new Machine().processorFlags(); // none where it is not Linux
        return flags.contains("avx512_bf16") || flags.contains("amx_bf16");
    }
}
