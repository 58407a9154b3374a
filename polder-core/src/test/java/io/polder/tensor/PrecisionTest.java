package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenScope.class)
class PrecisionTest {
    @Test
    void aCastingEndsInThePrecisionThatItBeganIn() {
        Tensor x = torch.ones(2, 2);
        assertThat(typeOfProduct(x)).isEqualTo(ScalarType.Float);
        try (var outer = Precision.BF16.casting(x)) {
            assertThat(typeOfProduct(x)).isEqualTo(ScalarType.BFloat16);
            for (Precision precision : Precision.values()) {
                try (var inner = precision.casting(x)) {
                    assertThat(typeOfProduct(x))
                            .isEqualTo(precision == Precision.BF16 ? ScalarType.BFloat16 : ScalarType.Float);
                }
                assertThat(typeOfProduct(x)).isEqualTo(ScalarType.BFloat16);
            }
        }
        assertThat(typeOfProduct(x)).isEqualTo(ScalarType.Float);
    }

    /** Of another who uses the engine on this thread. */
    @Test
    void aCastingLeavesTheEnginesOwnSettingsAsTheyWere() {
        torch.set_autocast_dtype(DeviceType.CPU, ScalarType.Half);
        assertThat(torch.is_autocast_cache_enabled()).isTrue();
        try (var casting = Precision.BF16.casting(torch.ones(1))) {
            assertThat(torch.is_autocast_cache_enabled()).isFalse();
        } finally {
            assertThat(torch.get_autocast_dtype(DeviceType.CPU).intern()).isEqualTo(ScalarType.Half);
            assertThat(torch.is_autocast_cache_enabled()).isTrue();
            torch.set_autocast_dtype(DeviceType.CPU, ScalarType.BFloat16);
        }
    }

    /** The names are oneDNN's own. What it does not know it takes for none. */
    @Test
    void onlyALimitBelowAmxMakesBf16SafeOnAProcessorThatHasIt() {
        String flags = "fpu avx512_bf16 avx512_fp16 amx_tile amx_int8";
        for (String limit :
                List.of("AVX2", "AVX512_CORE", "AVX512_CORE_VNNI", "AVX512_CORE_BF16", "avx512_core_fp16")) {
            assertThat(Precision.mayUseTiles(flags(flags), limit)).as(limit).isFalse();
        }
        for (String limit : List.of("", "ALL", "DEFAULT", "AVX512_CORE_AMX", "AVX10_1_512_AMX", "AVX512")) {
            assertThat(Precision.mayUseTiles(flags(flags), limit)).as(limit).isTrue();
        }
        assertThat(Precision.mayUseTiles(flags(flags), null)).isTrue();
        assertThat(Precision.mayUseTiles(flags("avx2 avx512_bf16"), null)).isFalse();
    }

    /** Whoever uses the library in a process of their own, without the launcher's environment. */
    @Test
    void withoutALimitBf16IsRefusedOrComputedAndNeverEndsTheProcess() throws Exception {
        var command = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Product.class.getName())
                .redirectErrorStream(true);
        command.environment().remove("ONEDNN_MAX_CPU_ISA");
        Process process = command.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).matches("(?s)computed\\R|precision is bf16: .*ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16.*\\R");
    }

    /** The program of that process. */
    static final class Product {
        public static void main(String[] arguments) {
            try (var scope = Scope.open()) {
                Tensor x = torch.rand(64, 64);
                try (var casting = Precision.BF16.casting(x)) {
                    torch.linear(x, torch.rand(128, 64));
                    System.out.println("computed");
                }
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static ScalarType typeOfProduct(Tensor x) {
        return x.mm(x).scalar_type().intern();
    }

    private static Set<String> flags(String line) {
        return Set.of(line.split(" "));
    }
}
