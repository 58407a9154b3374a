package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static ScalarType typeOfProduct(Tensor x) {
        return x.mm(x).scalar_type().intern();
    }
}
