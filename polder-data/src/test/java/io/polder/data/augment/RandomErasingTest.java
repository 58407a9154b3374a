package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.ImageShape;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RandomErasingTest {
    private static final ImageShape SHAPE = new ImageShape(3, 32, 32);

    /** The pixels that changed, all but surely each pixel that was erased: three noise bytes are seldom all 0. */
    private record Changed(int top, int left, int bottom, int right, int pixels) {
        static Changed of(byte[] image) {
            int top = 32;
            int left = 32;
            int bottom = 0;
            int right = 0;
            int pixels = 0;
            for (int pixel = 0; pixel < 32 * 32; pixel++) {
                if (image[3 * pixel] != 0 || image[3 * pixel + 1] != 0 || image[3 * pixel + 2] != 0) {
                    top = Math.min(top, pixel / 32);
                    bottom = Math.max(bottom, pixel / 32 + 1);
                    left = Math.min(left, pixel % 32);
                    right = Math.max(right, pixel % 32 + 1);
                    pixels++;
                }
            }
            return new Changed(top, left, bottom, right, pixels);
        }

        int height() {
            return bottom - top;
        }

        int width() {
            return right - left;
        }
    }

    @Test
    void whatIsErasedIsOneRectangleOfTheAreasAndAspectsAskedFor() {
        int erased = 0;
        double noise = 0;
        long bytes = 0;
        for (int seed = 0; seed < 4000; seed++) {
            byte[] image = new byte[SHAPE.bytes()];
            new RandomErasing().apply(image, SHAPE, new SplittableRandom(seed));
            var changed = Changed.of(image);
            if (changed.pixels == 0) {
                continue;
            }
            erased++;
            assertThat(changed.pixels)
                    .as("seed %d: one rectangle", seed)
                    .isBetween(changed.height() * changed.width() - 1, changed.height() * changed.width());
            // Sides are rounded by half a pixel at most.
            double least = (changed.height() - 0.5) * (changed.width() - 0.5) / 1024;
            double most = (changed.height() + 0.5) * (changed.width() + 0.5) / 1024;
            assertThat(most).isGreaterThan(0.02);
            assertThat(least).isLessThan(0.33);
            assertThat((changed.height() + 0.5) / (changed.width() - 0.5)).isGreaterThan(0.3);
            assertThat((changed.height() - 0.5) / (changed.width() + 0.5)).isLessThan(3.3);
            for (byte value : image) {
                noise += Byte.toUnsignedInt(value);
            }
            bytes += 3L * changed.pixels;
        }
        // 2000 expected, standard deviation 32.
        assertThat(erased).isBetween(1850, 2150);
        assertThat(noise / bytes).as("uniform bytes").isCloseTo(127.5, within(0.5));
    }

    @Test
    void probabilityZeroErasesNothingAndOneAlways() {
        for (int seed = 0; seed < 500; seed++) {
            byte[] image = new byte[SHAPE.bytes()];
            new RandomErasing(0, 0.1, 0.3, 0.5, 2).apply(image, SHAPE, new SplittableRandom(seed));
            assertThat(Changed.of(image).pixels).isZero();
            new RandomErasing(1, 0.1, 0.3, 0.5, 2).apply(image, SHAPE, new SplittableRandom(seed));
            assertThat(Changed.of(image).pixels).isPositive();
        }
    }

    @Test
    void aRectangleThatNeverFitsLeavesTheImage() {
        byte[] image = new byte[SHAPE.bytes()];
        new RandomErasing(1, 0.5, 0.5, 100, 100).apply(image, SHAPE, new SplittableRandom(1));
        assertThat(image).containsOnly(0);
    }

    @Test
    void rangesThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomErasing(1.5, 0, 1, 1, 1))
                .withMessage("probability is 1.5: it must be 0 to 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomErasing(1, 0.4, 0.3, 1, 1))
                .withMessage("the area is 0.4 to 0.3: it must be a range within 0 to 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomErasing(1, 0.1, 0.3, 0, 1))
                .withMessage("the aspect is 0.0 to 1.0: it must be a range of finite numbers above 0");
    }
}
