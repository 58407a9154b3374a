package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.polder.data.ImageShape;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each operation on an image small enough to do it by hand. */
final class CanvasTest {
    /** The levels of a grey image, three rows of four unless it is longer. */
    private static final int[] ROWS = {
        10, 20, 30, 40,
        50, 60, 70, 80,
        90, 100, 110, 120
    };

    private static final int GAP = 128;

    @Test
    void shearMovesARowByItsDistanceFromTheTop() {
        // Row y is read at x + 0.5 + (y + 0.5), rounded down: 1, 2 and 3 pixels to the right.
        assertThat(grey(Operation.SHEAR_X, 1.0, ROWS))
                .containsExactly(20, 30, 40, GAP, 70, 80, GAP, GAP, 120, GAP, GAP, GAP);
        // Column x is read x + 1 rows further down.
        assertThat(grey(Operation.SHEAR_Y, 1.0, ROWS))
                .containsExactly(50, 100, GAP, GAP, 90, GAP, GAP, GAP, GAP, GAP, GAP, GAP);
    }

    @Test
    void translateMovesByWholePixelsAndLeavesGrey() {
        assertThat(grey(Operation.TRANSLATE_X, 1, ROWS))
                .containsExactly(20, 30, 40, GAP, 60, 70, 80, GAP, 100, 110, 120, GAP);
        assertThat(grey(Operation.TRANSLATE_X, -3, ROWS))
                .containsExactly(GAP, GAP, GAP, 10, GAP, GAP, GAP, 50, GAP, GAP, GAP, 90);
        assertThat(grey(Operation.TRANSLATE_Y, 2, ROWS))
                .containsExactly(90, 100, 110, 120, GAP, GAP, GAP, GAP, GAP, GAP, GAP, GAP);
        assertThat(grey(Operation.TRANSLATE_Y, -3, ROWS)).containsOnly(GAP);
    }

    @Test
    void rotationIsAboutTheCentreAndAnticlockwise() {
        int[] square = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        var shape = new ImageShape(1, 3, 3);
        assertThat(applied(Operation.ROTATE, 90, shape, square)).containsExactly(3, 6, 9, 2, 5, 8, 1, 4, 7);
        assertThat(applied(Operation.ROTATE, 180, shape, square)).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1);
        assertThat(applied(Operation.ROTATE, 0, shape, square)).containsExactly(square);
    }

    @Test
    void levelsByHand() {
        int[] row = {0, 1, 127, 128, 200, 255};
        assertThat(row(Operation.INVERT, 0, row)).containsExactly(255, 254, 128, 127, 55, 0);
        assertThat(row(Operation.SOLARIZE, 128, row)).containsExactly(0, 1, 127, 127, 55, 0);
        assertThat(row(Operation.SOLARIZE, 256, row)).containsExactly(row);
        assertThat(row(Operation.SOLARIZE_ADD, 100, row)).containsExactly(100, 101, 227, 128, 200, 255);
        assertThat(row(Operation.SOLARIZE_ADD, 250, row)).containsExactly(250, 251, 255, 128, 200, 255);
        assertThat(row(Operation.POSTERIZE, 2, row)).containsExactly(0, 0, 64, 128, 192, 192);
        assertThat(row(Operation.POSTERIZE, 8, row)).containsExactly(row);
        assertThat(row(Operation.IDENTITY, 0, row)).containsExactly(row);
    }

    @Test
    void autoContrastStretchesEachChannelByItself() {
        // 100 to 150 becomes 0 to 255: 110 is 51. The second channel spans everything, the third is of one level.
        int[] pixels = {100, 0, 7, 110, 9, 7, 150, 255, 7};
        assertThat(applied(Operation.AUTO_CONTRAST, 0, new ImageShape(3, 1, 3), pixels))
                .containsExactly(0, 0, 7, 51, 9, 7, 255, 255, 7);
    }

    @Test
    void equalizeSpreadsTheLevelsOverTheirRanks() {
        // 512 pixels: 0 to 255 once each, and 256 more of level 255. A step is (512 - 257)/255 = 1, so that a level
        // becomes
        // the number of pixels below it.
        int[] pixels = new int[512];
        for (int i = 0; i < 512; i++) {
            pixels[i] = Math.min(i, 255);
        }
        assertThat(applied(Operation.EQUALIZE, 0, new ImageShape(1, 16, 32), pixels))
                .containsExactly(pixels);
        // Three levels of 400 pixels each: a step is 800/255 = 3; below the second 400 + 1 over 3 is 133, the third is
        // clipped.
        int[] three = new int[1200];
        for (int i = 0; i < 1200; i++) {
            three[i] = 40 + i / 400;
        }
        assertThat(Arrays.stream(applied(Operation.EQUALIZE, 0, new ImageShape(1, 30, 40), three))
                        .distinct())
                .containsExactly(0, 133, 255);
        // Too few pixels for a step: nothing.
        assertThat(row(Operation.EQUALIZE, 0, 1, 2, 3)).containsExactly(1, 2, 3);
    }

    @Test
    void enhancementGoesFromTheDegenerateImageThroughTheImage() {
        assertThat(row(Operation.BRIGHTNESS, 0.5, 0, 9, 200)).containsExactly(0, 4, 100);
        assertThat(row(Operation.BRIGHTNESS, 1.5, 0, 9, 200)).containsExactly(0, 13, 255);
        // Their mean is 60.
        assertThat(row(Operation.CONTRAST, 0.5, 20, 60, 100)).containsExactly(40, 60, 80);
        assertThat(row(Operation.CONTRAST, 2, 20, 60, 100)).containsExactly(0, 60, 140);
        // The luma of pure red is 76, of pure green 150, of pure blue 29.
        var shape = new ImageShape(3, 1, 3);
        int[] primary = {255, 0, 0, 0, 255, 0, 0, 0, 255};
        assertThat(applied(Operation.COLOR, 0, shape, primary)).containsExactly(76, 76, 76, 150, 150, 150, 29, 29, 29);
        // 76 + (255 - 76)/2 = 165.5, and half of 76
        assertThat(applied(Operation.COLOR, 0.5, shape, primary)).startsWith(165, 38, 38);
        assertThat(row(Operation.COLOR, 0, 3, 4, 5)).containsExactly(3, 4, 5);
        for (var operation :
                new Operation[] {Operation.BRIGHTNESS, Operation.CONTRAST, Operation.COLOR, Operation.SHARPNESS}) {
            assertThat(applied(operation, 1, shape, primary))
                    .as(operation.name())
                    .containsExactly(primary);
        }
    }

    @Test
    void sharpnessLeadsAwayFromTheSmoothedMiddleAndLeavesTheBorder() {
        int[] dot = {0, 0, 0, 0, 130, 0, 0, 0, 0};
        var shape = new ImageShape(1, 3, 3);
        // 5 of 13 is 50: half way there 90, as far beyond 210.
        assertThat(applied(Operation.SHARPNESS, 0, shape, dot)).containsExactly(0, 0, 0, 0, 50, 0, 0, 0, 0);
        assertThat(applied(Operation.SHARPNESS, 0.5, shape, dot)).containsExactly(0, 0, 0, 0, 90, 0, 0, 0, 0);
        assertThat(applied(Operation.SHARPNESS, 2, shape, dot)).containsExactly(0, 0, 0, 0, 210, 0, 0, 0, 0);
    }

    @Test
    void hueGoesRoundFromRedByThirdsToGreenAndBlue() {
        byte[] red = {(byte) 255, 0, 0};
        Canvas.on(red, new ImageShape(3, 1, 1)).hue(85);
        assertThat(red).containsExactly(0, 255, 0);
        Canvas.on(red, new ImageShape(3, 1, 1)).hue(85);
        assertThat(red).containsExactly(0, 0, 255);
        byte[] grey = {9, 9, 9};
        Canvas.on(grey, new ImageShape(3, 1, 1)).hue(50);
        assertThat(grey).containsExactly(9, 9, 9);
    }

    @Test
    void cutoutIsASquareOfGreyClippedAtTheBorder() {
        var shape = new ImageShape(3, 9, 7);
        for (int seed = 0; seed < 300; seed++) {
            int side = seed % 7;
            byte[] image = new byte[shape.bytes()];
            Operation.CUTOUT.apply(Canvas.on(image, shape), side, new SplittableRandom(seed));
            var box = Box.atRandomCentre(side, side, shape, new SplittableRandom(seed));
            byte[] expected = new byte[shape.bytes()];
            for (int i = 0; i < expected.length; i++) {
                int y = i / 3 / 7;
                int x = i / 3 % 7;
                if (y >= box.top() && y < box.bottom() && x >= box.left() && x < box.right()) {
                    expected[i] = (byte) 128;
                }
            }
            assertThat(image).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void noOperationTouchesWhatLiesBehindTheImage() {
        var shape = new ImageShape(3, 6, 5);
        for (var operation : Operation.values()) {
            byte[] buffer = new byte[shape.bytes() + 40];
            new SplittableRandom(operation.ordinal()).nextBytes(buffer);
            byte[] before = buffer.clone();
            operation.apply(Canvas.on(buffer, shape), 3, new SplittableRandom(1));
            assertThat(Arrays.copyOfRange(buffer, shape.bytes(), buffer.length))
                    .as(operation.name())
                    .isEqualTo(Arrays.copyOfRange(before, shape.bytes(), before.length));
        }
    }

    @Test
    void twoOrFourChannelsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AutoAugment.CIFAR10.apply(new byte[16], new ImageShape(4, 2, 2), new SplittableRandom(1)))
                .withMessage("channels is 4: it must be 1 or 3 for a change of colour or geometry");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operation.named("Blur"))
                .withMessageStartingWith("operation is Blur: it must be one of [AutoContrast, Brightness,");
    }

    private static int[] grey(Operation operation, double argument, int... levels) {
        return applied(operation, argument, new ImageShape(1, levels.length / 4, 4), levels);
    }

    private static int[] row(Operation operation, double argument, int... levels) {
        return applied(operation, argument, new ImageShape(1, 1, levels.length), levels);
    }

    private static int[] applied(Operation operation, double argument, ImageShape shape, int... levels) {
        byte[] image = new byte[levels.length];
        for (int i = 0; i < levels.length; i++) {
            image[i] = (byte) levels[i];
        }
        operation.apply(Canvas.on(image, shape), argument, new SplittableRandom(1));
        int[] result = new int[levels.length];
        for (int i = 0; i < levels.length; i++) {
            result[i] = image[i] & 0xff;
        }
        return result;
    }
}
