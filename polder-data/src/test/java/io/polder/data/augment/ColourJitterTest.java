package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.ImageShape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ColourJitterTest {
    private static final ImageShape SHAPE = new ImageShape(3, 8, 9);

    @Test
    void everyOrderIsEquallyLikely() {
        Map<String, Integer> times = new HashMap<>();
        for (int seed = 0; seed < 24_000; seed++) {
            int[] order = ColourJitter.drawOrder(new SplittableRandom(seed));
            assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3);
            times.merge(Arrays.toString(order), 1, Integer::sum);
        }
        // 1000 expected, standard deviation 31; seeds from 0.
        assertThat(times).hasSize(24).allSatisfy((order, n) -> assertThat(n).isBetween(830, 1170));
    }

    @Test
    void factorsAreUniformAboutOneButNotBelowZero() {
        double sum = 0;
        double least = 9;
        double most = 0;
        for (int seed = 0; seed < 10_000; seed++) {
            double factor = ColourJitter.factor(0.4, new SplittableRandom(seed));
            sum += factor;
            least = Math.min(least, factor);
            most = Math.max(most, factor);
            assertThat(ColourJitter.factor(3, new SplittableRandom(seed))).isBetween(0.0, 4.0);
        }
        assertThat(least).isBetween(0.6, 0.601);
        assertThat(most).isBetween(1.399, 1.4);
        // Five standard deviations of the mean.
        assertThat(sum / 10_000).isCloseTo(1, within(5 * 0.8 / Math.sqrt(12 * 10_000)));
    }

    /** Each strength by itself is the one operation, whatever the order. */
    @Test
    void oneStrengthIsOneOperation() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new SplittableRandom(seed);
            ColourJitter.drawOrder(random);
            double brighter = ColourJitter.factor(0.5, random);
            byte[] expected = AutoAugmentTest.noise(SHAPE, seed);
            Canvas.on(expected, SHAPE).brightness(brighter);
            byte[] image = AutoAugmentTest.noise(SHAPE, seed);
            new ColourJitter(0.5, 0, 0, 0).apply(image, SHAPE, new SplittableRandom(seed));
            assertThat(image).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void withoutStrengthTheImageStays() {
        byte[] image = AutoAugmentTest.noise(SHAPE, 1);
        new ColourJitter(0, 0, 0, 0).apply(image, SHAPE, new SplittableRandom(1));
        assertThat(image).isEqualTo(AutoAugmentTest.noise(SHAPE, 1));
    }

    @Test
    void hueKeepsTheBrightestLevelOfAPixel() {
        for (int seed = 0; seed < 200; seed++) {
            byte[] before = AutoAugmentTest.noise(SHAPE, seed);
            byte[] image = before.clone();
            new ColourJitter(0, 0, 0, 0.5).apply(image, SHAPE, new SplittableRandom(seed));
            for (int i = 0; i < image.length; i += 3) {
                assertThat(brightest(image, i)).as("seed %d", seed).isEqualTo(brightest(before, i));
            }
        }
    }

    @Test
    void strengthsThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ColourJitter(-1, 0, 0, 0))
                .withMessage("brightness is -1.0: it must be a finite number, at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ColourJitter(0, 0, 0, 0.6))
                .withMessage("hue is 0.6: it must be 0 to 0.5");
    }

    private static int brightest(byte[] image, int pixel) {
        return Math.max(image[pixel] & 0xff, Math.max(image[pixel + 1] & 0xff, image[pixel + 2] & 0xff));
    }
}
