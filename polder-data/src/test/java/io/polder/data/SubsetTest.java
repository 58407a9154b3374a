package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class SubsetTest {
    private static final ImagesInMemory SOURCE =
            new ImagesInMemory(new ImageShape(1, 1, 1), 5, new byte[] {10, 11, 12, 13}, new int[] {0, 1, 2, 3});

    @Test
    void imageAndLabelAreThoseOfTheIndex() throws IOException {
        var subset = new Subset(SOURCE, new int[] {3, 0, 3});
        assertThat(subset.size()).isEqualTo(3);
        byte[] image = new byte[1];
        for (int i = 0; i < 3; i++) {
            subset.read(i, image);
            assertThat(image[0]).isEqualTo(new byte[] {13, 10, 13}[i]);
            assertThat(subset.label(i)).isEqualTo(new int[] {3, 0, 3}[i]);
        }
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> subset.read(3, image));
    }

    @Test
    void shapeAndClassesAreThoseOfTheWhole() {
        var subset = new Subset(SOURCE, new int[] {0});
        assertThat(subset.shape()).isEqualTo(SOURCE.shape());
        assertThat(subset.classes()).isEqualTo(5);
    }

    @Test
    void aChangeToTheArrayAfterwardsChangesNothing() {
        int[] indices = {1};
        var subset = new Subset(SOURCE, indices);
        indices[0] = 2;
        assertThat(subset.label(0)).isEqualTo(1);
    }

    @Test
    void anIndexTheSourceDoesNotHaveIsRefused() {
        for (int index : new int[] {-1, 4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Subset(SOURCE, new int[] {0, index}))
                    .withMessage("indices[1] is " + index + ": it must be 0 to 3");
        }
    }
}
