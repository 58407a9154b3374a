package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class ImagesInMemoryTest {
    private static final ImageShape SHAPE = new ImageShape(1, 1, 2);

    @Test
    void anImageIsReadWhereItLies() {
        var images = new ImagesInMemory(SHAPE, 3, new byte[] {1, 2, 3, 4}, new int[] {0, 2});
        byte[] image = new byte[2];
        images.read(1, image);
        assertThat(image).containsExactly(3, 4);
        assertThat(images.label(1)).isEqualTo(2);
        assertThat(images.size()).isEqualTo(2);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> images.read(2, image));
    }

    @Test
    void pixelsThatDoNotFitTheLabelsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ImagesInMemory(SHAPE, 1, new byte[5], new int[2]))
                .withMessageContaining("2 labels")
                .withMessageContaining("4 bytes of pixels, but there are 5");
    }

    @Test
    void aLabelOutsideTheClassesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ImagesInMemory(SHAPE, 3, new byte[2], new int[] {3}))
                .withMessage("label is 3: it must be 0 to 2, as there are 3 classes");
    }
}
