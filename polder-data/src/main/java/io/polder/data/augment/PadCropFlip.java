package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The usual augmentation of small images: pad each side, crop to the old size at a random place, mirror every other
 * image.
 *
 * <p>Each of the {@code (2 pad + 1)²} places is equally likely, as are the image and its mirror image.
 *
 * @param pad pixels added to each side, fewer than the image has; 4 is customary for 32 x 32
 * @param flip whether half the images are mirrored left to right; not for digits, which would change class
 */
public record PadCropFlip(int pad, Padding padding, boolean flip) implements Augmentation {
    /** What the added pixels hold. */
    public enum Padding {
        ZERO,
        /** The image mirrored at its outermost pixels, which are not repeated: {@code c b | a b c d | c b}. */
        REFLECT
    }

    /** The image as it was. For each thread one, kept: a new copy an image would be most of the loader's garbage. */
    private static final ThreadLocal<byte[]> ORIGINAL = ThreadLocal.withInitial(() -> new byte[0]);

    public PadCropFlip {
        if (pad < 0) {
            throw new IllegalArgumentException("pad is " + pad + ": it must be at least 0");
        }
        Objects.requireNonNull(padding, "padding");
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        if (pad >= Math.min(shape.height(), shape.width())) {
            throw new IllegalArgumentException("pad is %d: it must be at most %d for images of %s"
                    .formatted(pad, Math.min(shape.height(), shape.width()) - 1, shape));
        }
        int down = random.nextInt(2 * pad + 1) - pad;
        int right = random.nextInt(2 * pad + 1) - pad;
        boolean mirrored = flip && random.nextBoolean();
        if (down != 0 || right != 0) {
            crop(image, shape, down, right);
        }
        if (mirrored) {
            mirror(image, shape);
        }
    }

    /** Moves the window: pixel (y, x) becomes what was, or would have been, at (y + down, x + right). */
    private void crop(byte[] image, ImageShape shape, int down, int right) {
        byte[] original = copyOf(image, shape.bytes());
        int stride = shape.width() * shape.channels();
        for (int y = 0; y < shape.height(); y++) {
            int from = y + down;
            boolean inside = from >= 0 && from < shape.height();
            if (inside || padding == Padding.REFLECT) {
                cropRow(original, reflect(from, shape.height()) * stride, image, y * stride, shape, right);
            } else {
                Arrays.fill(image, y * stride, (y + 1) * stride, (byte) 0);
            }
        }
    }

    private void cropRow(byte[] original, int from, byte[] image, int to, ImageShape shape, int right) {
        int channels = shape.channels();
        int first = Math.max(0, -right);
        int end = Math.min(shape.width(), shape.width() - right);
        System.arraycopy(
                original, from + (first + right) * channels, image, to + first * channels, (end - first) * channels);
        // The window leaves the image on one side at most.
        int gap = right < 0 ? 0 : end;
        int gapEnd = right < 0 ? first : shape.width();
        if (padding == Padding.ZERO) {
            Arrays.fill(image, to + gap * channels, to + gapEnd * channels, (byte) 0);
            return;
        }
        for (int x = gap; x < gapEnd; x++) {
            int source = from + reflect(x + right, shape.width()) * channels;
            for (int channel = 0; channel < channels; channel++) {
                image[to + x * channels + channel] = original[source + channel];
            }
        }
    }

    private static int reflect(int index, int size) {
        if (index < 0) {
            return -index;
        }
        return index < size ? index : 2 * (size - 1) - index;
    }

    private static void mirror(byte[] image, ImageShape shape) {
        int channels = shape.channels();
        int stride = shape.width() * channels;
        for (int row = 0; row < shape.bytes(); row += stride) {
            int left = row;
            int right = row + stride - channels;
            while (left < right) {
                for (int channel = 0; channel < channels; channel++) {
                    byte swapped = image[left + channel];
                    image[left + channel] = image[right + channel];
                    image[right + channel] = swapped;
                }
                left += channels;
                right -= channels;
            }
        }
    }

    private static byte[] copyOf(byte[] image, int length) {
        byte[] copy = ORIGINAL.get();
        if (copy.length < length) {
            copy = new byte[length];
            ORIGINAL.set(copy);
        }
        System.arraycopy(image, 0, copy, 0, length);
        return copy;
    }
}
