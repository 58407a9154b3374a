package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.load.Pipeline;
import java.awt.geom.AffineTransform;
import java.awt.geom.NoninvertibleTransformException;
import java.awt.geom.Point2D;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class HeavyTest {
    private static final ImageShape CIFAR = new ImageShape(3, 32, 32);
    private static final Heavy.Map NOTHING = new Heavy.Map(false, 0, 1, 1, 0, 0, Heavy.RESIZED);

    /** The six steps as transforms of the plane, forwards, against the one map that the code samples backwards. */
    @Test
    void theMapIsTheSixStepsInTheirOrder() throws NoninvertibleTransformException {
        int compared = 0;
        for (int seed = 0; seed < 300; seed++) {
            var map = new Heavy(0.1, 0.4, 50).draw(new SplittableRandom(seed));
            int width = 20 + seed % 40;
            int height = 20 + seed % 17;
            var steps = new AffineTransform();
            steps.preConcatenate(AffineTransform.getScaleInstance(72.0 / width, 72.0 / height));
            if (map.mirrored()) {
                steps.preConcatenate(new AffineTransform(-1, 0, 0, 1, 72, 0));
            }
            steps.preConcatenate(AffineTransform.getRotateInstance(-map.angle(), 36, 36));
            steps.preConcatenate(AffineTransform.getTranslateInstance(-36, -36));
            steps.preConcatenate(AffineTransform.getScaleInstance(1 / map.zoomX(), 1 / map.zoomY()));
            steps.preConcatenate(AffineTransform.getTranslateInstance(36 - map.left(), 36 - map.top()));
            steps.preConcatenate(AffineTransform.getScaleInstance(48.0 / 50, 48.0 / 50));
            // Linear interpolation of a plane is the plane itself.
            byte[] plane = new byte[width * height];
            for (int i = 0; i < plane.length; i++) {
                plane[i] = (byte) (10 + i % width + 3 * (i / width));
            }
            byte[] result = new byte[48 * 48];
            map.sample(plane, width, height, 1, result, 48);
            for (int i = 0; i < result.length; i++) {
                var from = steps.inverseTransform(new Point2D.Double(i % 48 + 0.5, i / 48 + 0.5), null);
                double x = from.getX() - 0.5;
                double y = from.getY() - 0.5;
                if (x >= 0 && x <= width - 1 && y >= 0 && y <= height - 1) {
                    // Half a level of rounding, and single precision.
                    assertThat((double) (result[i] & 0xff))
                            .as("seed %d", seed)
                            .isCloseTo(10 + x + 3 * y, within(0.501));
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(300 * 48 * 48 / 2);
    }

    /** Interpolated twice: once by the framing, whatever size the images have, once for all that is random. */
    @Test
    void thePipelineResizesTo72AndSamplesTheOtherStepsOnce() throws IOException {
        var pipeline = Pipeline.named("heavy", CIFAR);
        var images = new ImagesInMemory(CIFAR, 1, AutoAugmentTest.noise(CIFAR, 5), new int[1]);
        ImageSource framed = images.framed(pipeline.training());
        assertThat(framed.shape()).isEqualTo(new ImageShape(3, 72, 72));
        for (int seed = 0; seed < 20; seed++) {
            byte[] image = new byte[framed.shape().bytes()];
            framed.read(0, image);
            byte[] expected = new byte[48 * 48 * 3];
            new Heavy().draw(new SplittableRandom(seed)).sample(image, 72, 72, 3, expected, 48);
            pipeline.augmentation().apply(image, framed.shape(), new SplittableRandom(seed));
            assertThat(Arrays.copyOf(image, expected.length))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
    }

    @Test
    void whatLiesBeyondTheBorderIsTheMirrorImage() {
        // Twice the image is seen, in six pixels as wide as the old: they are read at -1.5, -0.5, ... 3.5, half way
        // between
        // neighbours of 200 100 0 | 0 100 200 | 200 100 0.
        byte[] row = {0, 100, (byte) 200};
        byte[] result = new byte[6 * 6];
        new Heavy.Map(false, 0, 2, 2, 0, 0, Heavy.RESIZED).sample(row, 3, 1, 1, result, 6);
        int[] expected = {50, 0, 50, 150, 200, 150};
        for (int x = 0; x < 6; x++) {
            assertThat(result[x] & 0xff).isEqualTo(expected[x]);
        }
    }

    @Test
    void drawsAreUniformInTheirRanges() {
        var heavy = new Heavy();
        int draws = 20_000;
        int mirrored = 0;
        double[] sums = new double[3];
        int[][] places = new int[10][10];
        for (int seed = 0; seed < draws; seed++) {
            var map = heavy.draw(new SplittableRandom(seed));
            mirrored += map.mirrored() ? 1 : 0;
            double turn = map.angle() / (2 * Math.PI) / 0.02;
            double[] within = {turn, (map.zoomX() - 1) / 0.2, (map.zoomY() - 1) / 0.2};
            for (int i = 0; i < 3; i++) {
                assertThat(within[i]).isBetween(-1.0, 1.0);
                sums[i] += within[i];
            }
            places[map.top()][map.left()]++;
        }
        // Five standard deviations, seeds from 0.
        assertThat(mirrored).isCloseTo(draws / 2, within(354));
        for (double sum : sums) {
            assertThat(sum / draws).isCloseTo(0, within(5 / Math.sqrt(3.0 * draws)));
        }
        for (int[] row : places) {
            for (int times : row) {
                // 200 expected, standard deviation 14.
                assertThat(times).isBetween(125, 275);
            }
        }
    }

    @Test
    void aMirroredMapIsTheMirrorImage() {
        byte[] image = AutoAugmentTest.noise(CIFAR, 4);
        byte[] plain = new byte[48 * 48 * 3];
        byte[] mirrored = new byte[48 * 48 * 3];
        NOTHING.sample(image, 32, 32, 3, plain, 48);
        new Heavy.Map(true, 0, 1, 1, 0, 0, Heavy.RESIZED).sample(image, 32, 32, 3, mirrored, 48);
        for (int i = 0; i < plain.length; i++) {
            int x = i / 3 % 48;
            int opposite = i + 3 * (47 - 2 * x);
            assertThat(mirrored[i] & 0xff).isCloseTo(plain[opposite] & 0xff, within(1));
        }
    }

    @Test
    void theSameDrawsMakeTheSameBytesOfTheSizeThatItSays() {
        var shape = new ImageShape(3, 72, 72);
        assertThat(new Heavy().output(shape)).isEqualTo(new ImageShape(3, 48, 48));
        for (int seed = 0; seed < 50; seed++) {
            byte[] first = AutoAugmentTest.noise(shape, seed);
            byte[] second = AutoAugmentTest.noise(shape, seed);
            new Heavy().apply(first, shape, new SplittableRandom(seed));
            new Heavy().apply(second, shape, new SplittableRandom(seed));
            assertThat(second).as("seed %d", seed).isEqualTo(first);
        }
    }

    @Test
    void sizesThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Heavy().apply(new byte[73 * 72], new ImageShape(1, 73, 72), new SplittableRandom(1)))
                .withMessage(
                        "the image is ImageShape[channels=1, height=73, width=72]: it must have at most 72 pixels a side");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Heavy(0.02, 0.2, 73))
                .withMessage("crop is 73: it must be 1 to 72");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Heavy(0.02, 1, 63))
                .withMessage("zoom is 1.0: it must be at least 0 and below 1");
    }
}
