package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GreyAsColourTest {
    private final ImageSource grey =
            new ImagesInMemory(new ImageShape(1, 2, 2), 3, new byte[] {1, 2, 3, 4, 5, 6, 7, -1}, new int[] {0, 2});

    @Test
    void eachLevelBecomesThreeEqualChannelsOfItsPixel() throws IOException {
        var colour = new GreyAsColour(grey);
        assertThat(colour.shape()).isEqualTo(new ImageShape(3, 2, 2));
        byte[] image = new byte[12];
        colour.read(1, image);
        assertThat(image).containsExactly(5, 5, 5, 6, 6, 6, 7, 7, 7, -1, -1, -1);
        colour.read(0, image, new SplittableRandom(1));
        assertThat(image).containsExactly(1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4);
    }

    @Test
    void labelsAndSizeAreThoseOfTheGreyImages() {
        var colour = new GreyAsColour(grey);
        assertThat(colour.size()).isEqualTo(2);
        assertThat(colour.classes()).isEqualTo(3);
        assertThat(colour.label(1)).isEqualTo(2);
    }

    @Test
    void colourImagesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new GreyAsColour(new GreyAsColour(grey)));
    }
}
