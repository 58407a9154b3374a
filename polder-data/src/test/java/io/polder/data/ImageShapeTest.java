package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class ImageShapeTest {
    @Test
    void bytesAreTheProductOfTheSides() {
        assertThat(new ImageShape(3, 4, 5).bytes()).isEqualTo(60);
        assertThat(new ImageShape(1, 1, Integer.MAX_VALUE).bytes()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aSideOfZeroIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ImageShape(3, 0, 5))
                .withMessage("height is 0: it must be at least 1");
    }

    @Test
    void anImageOf2To31BytesIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ImageShape(2, 1 << 15, 1 << 15));
        // The product of these is 2^93: it wraps to 0 in 64 bits.
        assertThatIllegalArgumentException().isThrownBy(() -> new ImageShape(1 << 30, 1 << 30, 1 << 30));
    }
}
