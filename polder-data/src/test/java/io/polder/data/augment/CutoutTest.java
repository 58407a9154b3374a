package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.ImageShape;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CutoutTest {
    @Test
    void aSquareIsWholeInsideAndClippedAtTheBorderForEveryCentre() {
        var shape = new ImageShape(2, 7, 5);
        for (int side = 1; side <= 12; side++) {
            for (int y = 0; y < 7; y++) {
                for (int x = 0; x < 5; x++) {
                    var box = Box.around(y, x, side, side, shape);
                    int area = 0;
                    for (int row = 0; row < 7; row++) {
                        for (int column = 0; column < 5; column++) {
                            boolean inside = row >= box.top()
                                    && row < box.bottom()
                                    && column >= box.left()
                                    && column < box.right();
                            assertThat(inside).isEqualTo(isCovered(row - y, side) && isCovered(column - x, side));
                            area += inside ? 1 : 0;
                        }
                    }
                    assertThat(box.area()).isEqualTo(area);
                }
            }
        }
    }

    /** Every image of a batch of shapes and sides, pixel by pixel. */
    @Test
    void imagesAgreeWithThePlainReference() {
        for (int seed = 0; seed < 2000; seed++) {
            var sizes = new SplittableRandom(seed);
            var shape = new ImageShape(1 + sizes.nextInt(4), 1 + sizes.nextInt(9), 1 + sizes.nextInt(9));
            int side = 1 + sizes.nextInt(12);
            byte[] image = new byte[shape.bytes()];
            sizes.nextBytes(image);
            byte[] expected = image.clone();
            var draws = new SplittableRandom(seed);
            int y = draws.nextInt(shape.height());
            int x = draws.nextInt(shape.width());
            for (int i = 0; i < expected.length; i++) {
                int pixel = i / shape.channels();
                if (isCovered(pixel / shape.width() - y, side) && isCovered(pixel % shape.width() - x, side)) {
                    expected[i] = 0;
                }
            }
            new Cutout(side).apply(image, shape, new SplittableRandom(seed));
            assertThat(image).as("seed %d: %d of %s", seed, side, shape).isEqualTo(expected);
        }
    }

    @Test
    void everyPixelIsTheCentreEquallyOften() {
        var shape = new ImageShape(1, 4, 5);
        int[] times = new int[20];
        for (int seed = 0; seed < 20_000; seed++) {
            byte[] image = new byte[20];
            Arrays.fill(image, (byte) 9);
            new Cutout(1).apply(image, shape, new SplittableRandom(seed));
            for (int i = 0; i < 20; i++) {
                times[i] += image[i] == 0 ? 1 : 0;
            }
        }
        // 1000 expected, standard deviation 31.
        assertThat(times).satisfies(it -> assertThat(Arrays.stream(it).boxed()).allMatch(n -> n > 800 && n < 1200));
        assertThat(Arrays.stream(times).sum()).isEqualTo(20_000);
    }

    /** Of the square's side the centres 0 to 7 leave 8 to 15 inside, those from 25 on 15 down to 9, and the rest all 16. */
    @Test
    void ofASquareOf16InAnImageOf32ThreeQuartersAreInsideOnAverage() {
        var shape = new ImageShape(1, 32, 32);
        double[] inside = new double[33];
        for (int centre = 0; centre < 32; centre++) {
            inside[Math.min(32, centre + 8) - Math.max(0, centre - 8)] += 1.0 / 32;
        }
        double mean = 0;
        double square = 0;
        for (int length = 0; length <= 32; length++) {
            mean += length * inside[length];
            square += length * length * inside[length];
        }
        assertThat(mean).isEqualTo((8 + 2 * (9 + 10 + 11 + 12 + 13 + 14 + 15) + 17 * 16) / 32.0);
        double sum = 0;
        int images = 20_000;
        for (int seed = 0; seed < images; seed++) {
            byte[] image = new byte[32 * 32];
            Arrays.fill(image, (byte) 1);
            new Cutout(16).apply(image, shape, new SplittableRandom(seed));
            int area = 0;
            for (byte level : image) {
                area += 1 - level;
            }
            assertThat(area).as("seed %d", seed).isBetween(8 * 8, 16 * 16);
            sum += area;
        }
        // Height and width are independent; five standard deviations of the mean.
        double deviation = Math.sqrt(square * square - Math.pow(mean, 4));
        assertThat(sum / images).as("seeds from 0").isCloseTo(mean * mean, within(5 * deviation / Math.sqrt(images)));
    }

    @Test
    void aSquareThatCannotBeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Cutout(0))
                .withMessage("side is 0: it must be at least 1");
    }

    /** Of side 4 the offsets -2 to 1 from the centre, of side 5 -2 to 2. */
    private static boolean isCovered(int offset, int side) {
        return offset >= -(side / 2) && offset < side - side / 2;
    }
}
