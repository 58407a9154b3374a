package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.polder.data.ImageShape;
import io.polder.data.augment.PadCropFlip.Padding;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PadCropFlipTest {
    @Test
    void withoutPadAndFlipTheImageStays() {
        var shape = new ImageShape(3, 5, 4);
        byte[] image = randomImage(shape, new SplittableRandom(1));
        byte[] before = image.clone();
        for (Padding padding : Padding.values()) {
            new PadCropFlip(0, padding, false).apply(image, shape, new SplittableRandom(2));
            assertThat(image).isEqualTo(before);
        }
    }

    @Test
    void flipKeepsAPixelsChannelsTogether() {
        byte[] rows = {1, 2, 3, 4, 5, 6, /* second row */ 7, 8, 9, 10, 11, 12};
        byte[] mirrored = {5, 6, 3, 4, 1, 2, /* second row */ 11, 12, 9, 10, 7, 8};
        int flipped = 0;
        for (int seed = 0; seed < 1000; seed++) {
            byte[] image = rows.clone();
            new PadCropFlip(0, Padding.ZERO, true).apply(image, new ImageShape(2, 2, 3), new SplittableRandom(seed));
            assertThat(image)
                    .as("seed %d", seed)
                    .satisfiesAnyOf(
                            it -> assertThat(it).isEqualTo(rows),
                            it -> assertThat(it).isEqualTo(mirrored));
            flipped += Arrays.equals(image, mirrored) ? 1 : 0;
        }
        // Six standard deviations around one half.
        assertThat(flipped).isBetween(405, 595);
    }

    @Test
    void everyPlaceIsCroppedEquallyOften() {
        var shape = new ImageShape(1, 5, 7);
        Map<Integer, Integer> timesAtPlace = new HashMap<>();
        for (int seed = 0; seed < 25_000; seed++) {
            byte[] image = new byte[shape.bytes()];
            image[2 * 7 + 3] = 1;
            new PadCropFlip(2, Padding.ZERO, false).apply(image, shape, new SplittableRandom(seed));
            timesAtPlace.merge(indexOf(image, (byte) 1), 1, Integer::sum);
        }
        Set<Integer> places = new HashSet<>();
        for (int y = 0; y <= 4; y++) {
            for (int x = 1; x <= 5; x++) {
                places.add(y * 7 + x);
            }
        }
        assertThat(timesAtPlace.keySet()).isEqualTo(places);
        // 1000 expected, standard deviation 31.
        assertThat(timesAtPlace.values()).allSatisfy(times -> assertThat(times).isBetween(800, 1200));
    }

    @Test
    void reflectDoesNotRepeatTheEdge() {
        byte[] row = {1, 2, 3, 4};
        Set<String> crops = new HashSet<>();
        for (int seed = 0; seed < 200; seed++) {
            // Three equal rows: only the horizontal place shows.
            byte[] image = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
            new PadCropFlip(2, Padding.REFLECT, false)
                    .apply(image, new ImageShape(1, 3, 4), new SplittableRandom(seed));
            crops.add(Arrays.toString(Arrays.copyOf(image, row.length)));
        }
        assertThat(crops)
                .containsExactlyInAnyOrder(
                        "[3, 2, 1, 2]", "[2, 1, 2, 3]", "[1, 2, 3, 4]", "[2, 3, 4, 3]", "[3, 4, 3, 2]");
    }

    @Test
    void bothPaddingsAgreeWithThePlainReference() {
        for (long seed = 0; seed < 2000; seed++) {
            var sizes = new SplittableRandom(seed);
            var shape = new ImageShape(1 + sizes.nextInt(4), 1 + sizes.nextInt(9), 1 + sizes.nextInt(9));
            int pad = sizes.nextInt(Math.min(shape.height(), shape.width()));
            var padding = Padding.values()[sizes.nextInt(2)];
            var augmentation = new PadCropFlip(pad, padding, sizes.nextBoolean());
            byte[] image = randomImage(shape, sizes);
            byte[] expected = reference(augmentation, image, shape, new SplittableRandom(seed));
            augmentation.apply(image, shape, new SplittableRandom(seed));
            assertThat(image).as("seed %d: %s of %s", seed, augmentation, shape).isEqualTo(expected);
        }
    }

    @Test
    void padAsWideAsTheImageIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PadCropFlip(3, Padding.REFLECT, true)
                        .apply(new byte[12], new ImageShape(1, 4, 3), new SplittableRandom(0)))
                .withMessageContaining("it must be at most 2 for images of");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PadCropFlip(-1, Padding.ZERO, true))
                .withMessage("pad is -1: it must be at least 0");
    }

    /** Pads for real, then crops and mirrors pixel by pixel. */
    private static byte[] reference(PadCropFlip augmentation, byte[] image, ImageShape shape, SplittableRandom random) {
        int pad = augmentation.pad();
        int height = shape.height() + 2 * pad;
        int width = shape.width() + 2 * pad;
        byte[][][] padded = new byte[height][width][shape.channels()];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int row = y - pad;
                int column = x - pad;
                if (augmentation.padding() == Padding.REFLECT) {
                    row = shape.height() - 1 - Math.abs(shape.height() - 1 - Math.abs(row));
                    column = shape.width() - 1 - Math.abs(shape.width() - 1 - Math.abs(column));
                } else if (row < 0 || row >= shape.height() || column < 0 || column >= shape.width()) {
                    continue;
                }
                for (int c = 0; c < shape.channels(); c++) {
                    padded[y][x][c] = image[(row * shape.width() + column) * shape.channels() + c];
                }
            }
        }
        int top = random.nextInt(2 * pad + 1);
        int left = random.nextInt(2 * pad + 1);
        boolean mirrored = augmentation.flip() && random.nextBoolean();
        byte[] result = new byte[image.length];
        for (int y = 0; y < shape.height(); y++) {
            for (int x = 0; x < shape.width(); x++) {
                byte[] pixel = padded[top + y][left + (mirrored ? shape.width() - 1 - x : x)];
                System.arraycopy(pixel, 0, result, (y * shape.width() + x) * shape.channels(), pixel.length);
            }
        }
        return result;
    }

    private static byte[] randomImage(ImageShape shape, SplittableRandom random) {
        byte[] image = new byte[shape.bytes()];
        random.nextBytes(image);
        return image;
    }

    private static int indexOf(byte[] image, byte value) {
        for (int i = 0; i < image.length; i++) {
            if (image[i] == value) {
                return i;
            }
        }
        return -1;
    }
}
