package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class NormalizationTest {
    /** Two images of two pixels; red is 0, 0, 255, 255, green 51 throughout, blue 0, 51, 102, 153. */
    private static final byte[] PIXELS = {0, 51, 0, 0, 51, 51, (byte) 255, 51, 102, (byte) 255, 51, (byte) 153};

    @Test
    void meanAndDeviationAreThoseOfEachChannel() throws IOException {
        var images = new ImagesInMemory(new ImageShape(3, 1, 2), 1, PIXELS, new int[2]);
        Normalization normalization = Normalization.of(images);
        assertThat(normalization.mean()).containsExactly(new float[] {0.5f, 0.2f, 0.3f}, within(1e-7f));
        float blue = (float) Math.sqrt((0.09 + 0.01 + 0.01 + 0.09) / 4);
        assertThat(normalization.deviation()[0]).isCloseTo(0.5f, within(1e-7f));
        assertThat(normalization.deviation()[2]).isCloseTo(blue, within(1e-7f));
    }

    @Test
    void aConstantChannelHasDeviationOne() throws IOException {
        for (int level = 0; level < 256; level++) {
            byte[] pixels = {(byte) level, (byte) level, (byte) level};
            var images = new ImagesInMemory(new ImageShape(1, 1, 1), 1, pixels, new int[3]);
            assertThat(Normalization.of(images).deviation()).containsExactly(1f);
        }
    }

    @Test
    void thePublishedFiguresAreThoseOfThreeChannels() {
        // The variance of values in 0..1 is at most mean (1 - mean).
        for (Normalization published : new Normalization[] {Normalization.CIFAR10, Normalization.CIFAR100}) {
            assertThat(published.mean()).hasSize(3);
            for (int channel = 0; channel < 3; channel++) {
                float mean = published.mean()[channel];
                float deviation = published.deviation()[channel];
                assertThat(deviation * deviation).isLessThan(mean * (1 - mean));
            }
        }
        assertThat(Normalization.CIFAR10.mean()).containsExactly(0.4914f, 0.4822f, 0.4465f);
        assertThat(Normalization.CIFAR100.mean()).containsExactly(0.5071f, 0.4865f, 0.4409f);
    }

    @Test
    void theArraysInsideCannotBeReached() {
        float[] mean = {0.5f};
        var normalization = new Normalization(mean, new float[] {0.25f});
        mean[0] = 7;
        normalization.mean()[0] = 7;
        normalization.deviation()[0] = 7;
        assertThat(normalization).isEqualTo(new Normalization(new float[] {0.5f}, new float[] {0.25f}));
        assertThat(normalization).hasToString("Normalization[mean=[0.5], deviation=[0.25]]");
    }

    @Test
    void aDeviationNothingCanBeDividedByIsRefused() {
        for (float deviation : new float[] {0, -1, Float.NaN, Float.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Normalization(new float[] {0}, new float[] {deviation}))
                    .withMessage("deviation is " + deviation + ": it must be a finite number above 0");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Normalization(new float[] {0, 0}, new float[] {1}))
                .withMessageContaining("mean has 2 values and deviation 1");
    }
}
