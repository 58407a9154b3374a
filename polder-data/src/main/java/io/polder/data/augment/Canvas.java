package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.Arrays;

/**
 * An image under the hands of {@link Operation}s, with the scratch memory they need: one for each thread, kept, so that
 * an image makes no garbage.
 *
 * <p>Every change is Pillow's, bit for bit, of an image of mode L or RGB: its fixed-point sampling, its luma, its single
 * precision in a blend, its way of dropping fractions. {@code PillowTest} holds it to that.
 */
final class Canvas {
    private static final ThreadLocal<Canvas> OF_THREAD = ThreadLocal.withInitial(Canvas::new);
    private static final int LEVELS = 256;
    private static final int WHITE = 255;

    /**
     * The level of every channel where an operation leaves a gap: grey, as in the authors' program for ImageNet. That for CIFAR puts
     * the mean colour there (125, 122, 113), or black if another operation came after; torchvision has black.
     */
    static final byte GAP = (byte) 128;

    /** Pillow samples in fixed point, with this many bits after the point. */
    private static final int FRACTION = 16;

    private final byte[] table = new byte[LEVELS];
    private final int[] histogram = new int[LEVELS];
    private byte[] original = new byte[0];
    private byte[] image;
    private ImageShape shape;

    private Canvas() {}

    static Canvas on(byte[] image, ImageShape shape) {
        if (shape.channels() != 1 && shape.channels() != 3) {
            throw new IllegalArgumentException(
                    "channels is %d: it must be 1 or 3 for a change of colour or geometry".formatted(shape.channels()));
        }
        Canvas canvas = OF_THREAD.get();
        canvas.image = image;
        canvas.shape = shape;
        return canvas;
    }

    byte[] image() {
        return image;
    }

    ImageShape shape() {
        return shape;
    }

    // Geometry

    /** Pixel (x, y) becomes what was at (x + right, y + down). */
    void translate(int right, int down) {
        int width = shape.width();
        int height = shape.height();
        int channels = shape.channels();
        int stride = width * channels;
        int first = Math.max(0, -right);
        int end = Math.min(width, width - right);
        keepOriginal();
        Arrays.fill(image, 0, shape.bytes(), GAP);
        if (first >= end) {
            return;
        }
        for (int y = Math.max(0, -down); y < Math.min(height, height - down); y++) {
            int from = (y + down) * stride + (first + right) * channels;
            System.arraycopy(original, from, image, y * stride + first * channels, (end - first) * channels);
        }
    }

    /** Pixel (x, y) becomes the one nearest to (a x + b y + c, d x + e y + f), both measured between pixels' centres. */
    void affine(double a, double b, double c, double d, double e, double f) {
        int width = shape.width();
        int height = shape.height();
        int channels = shape.channels();
        long rightX = fixed(a);
        long rightY = fixed(d);
        long downX = fixed(b);
        long downY = fixed(e);
        long rowX = fixed(c + a * 0.5 + b * 0.5);
        long rowY = fixed(f + d * 0.5 + e * 0.5);
        keepOriginal();
        int to = 0;
        for (int y = 0; y < height; y++) {
            long atX = rowX;
            long atY = rowY;
            for (int x = 0; x < width; x++) {
                long column = atX >> FRACTION;
                long row = atY >> FRACTION;
                if (column >= 0 && column < width && row >= 0 && row < height) {
                    int from = ((int) row * width + (int) column) * channels;
                    for (int channel = 0; channel < channels; channel++) {
                        image[to + channel] = original[from + channel];
                    }
                } else {
                    for (int channel = 0; channel < channels; channel++) {
                        image[to + channel] = GAP;
                    }
                }
                to += channels;
                atX += rightX;
                atY += rightY;
            }
            rowX += downX;
            rowY += downY;
        }
    }

    /** Anticlockwise, about the image's centre. */
    void rotate(double degrees) {
        if (degrees == 0) {
            return;
        }
        // StrictMath, so that a seed means the same pixels on every machine; fifteen digits, as Pillow keeps of them.
        double angle = -Math.toRadians(degrees);
        double cosine = Math.rint(StrictMath.cos(angle) * 1e15) / 1e15;
        double sine = Math.rint(StrictMath.sin(angle) * 1e15) / 1e15;
        double x = shape.width() / 2.0;
        double y = shape.height() / 2.0;
        affine(cosine, sine, cosine * -x + sine * -y + x, -sine, cosine, -sine * -x + cosine * -y + y);
    }

    private static long fixed(double value) {
        return (long) Math.floor(value * (1 << FRACTION) + 0.5);
    }

    // Levels, one by one

    void invert() {
        for (int i = 0; i < shape.bytes(); i++) {
            image[i] = (byte) ~image[i];
        }
    }

    void posterize(int bits) {
        int mask = -1 << (Byte.SIZE - bits);
        for (int i = 0; i < shape.bytes(); i++) {
            image[i] &= (byte) mask;
        }
    }

    void solarize(int threshold) {
        for (int level = 0; level < LEVELS; level++) {
            table[level] = (byte) (level < threshold ? level : WHITE - level);
        }
        lookUp(0, 1);
    }

    /** Adds to what is below the middle; Pillow has nothing of the kind, the published policy for ImageNet does. */
    void solarizeAdd(int addition) {
        for (int level = 0; level < LEVELS; level++) {
            table[level] = (byte) (level < LEVELS / 2 ? clamp(level + addition) : level);
        }
        lookUp(0, 1);
    }

    /** Stretches each channel so that it reaches from 0 to 255; one of a single level stays. */
    void autoContrast() {
        int channels = shape.channels();
        for (int channel = 0; channel < channels; channel++) {
            int low = WHITE;
            int high = 0;
            for (int i = channel; i < shape.bytes(); i += channels) {
                int level = image[i] & WHITE;
                low = Math.min(low, level);
                high = Math.max(high, level);
            }
            if (low < high && (low > 0 || high < WHITE)) {
                double scale = 255.0 / (high - low);
                double offset = -low * scale;
                for (int level = low; level <= high; level++) {
                    table[level] = (byte) clamp((int) (level * scale + offset));
                }
                lookUp(channel, channels);
            }
        }
    }

    /** Evens out each channel's histogram; one whose levels are too few for that stays. */
    void equalize() {
        int channels = shape.channels();
        for (int channel = 0; channel < channels; channel++) {
            Arrays.fill(histogram, 0);
            for (int i = channel; i < shape.bytes(); i += channels) {
                histogram[image[i] & WHITE]++;
            }
            int brightest = WHITE;
            while (histogram[brightest] == 0) {
                brightest--;
            }
            int step = (shape.height() * shape.width() - histogram[brightest]) / WHITE;
            if (step > 0) {
                int darker = step / 2;
                for (int level = 0; level < LEVELS; level++) {
                    table[level] = (byte) Math.min(WHITE, darker / step);
                    darker += histogram[level];
                }
                lookUp(channel, channels);
            }
        }
    }

    private void lookUp(int first, int stride) {
        for (int i = first; i < shape.bytes(); i += stride) {
            image[i] = table[image[i] & WHITE];
        }
    }

    // Enhancement: 0 is the degenerate image, 1 the image as it is, and a factor above 1 leads away from the former

    /** From black. */
    void brightness(double factor) {
        blendWith(0, factor);
    }

    /** From the image's mean grey. */
    void contrast(double factor) {
        long sum = 0;
        int channels = shape.channels();
        for (int i = 0; i < shape.bytes(); i += channels) {
            sum += channels == 1 ? image[i] & WHITE : grey(i);
        }
        blendWith((int) (sum / (double) (shape.height() * shape.width()) + 0.5), factor);
    }

    /** From the image in greys, so that it changes nothing where there is no colour. */
    void color(double factor) {
        if (shape.channels() == 1) {
            return;
        }
        float share = (float) factor;
        for (int i = 0; i < shape.bytes(); i += 3) {
            int grey = grey(i);
            image[i] = blend(grey, image[i] & WHITE, share);
            image[i + 1] = blend(grey, image[i + 1] & WHITE, share);
            image[i + 2] = blend(grey, image[i + 2] & WHITE, share);
        }
    }

    /** From a smoothed image: 3 x 3 pixels, the middle one with weight 5 of 13. The outermost pixels stay. */
    void sharpness(double factor) {
        int channels = shape.channels();
        int stride = shape.width() * channels;
        float share = (float) factor;
        keepOriginal();
        for (int y = 1; y < shape.height() - 1; y++) {
            int end = (y + 1) * stride - channels;
            for (int i = y * stride + channels; i < end; i++) {
                int level = original[i] & WHITE;
                int sum = column(i - channels, stride) + column(i, stride) + column(i + channels, stride) + 4 * level;
                // To the nearest; a sum of whole numbers is never halfway between two thirteenths.
                image[i] = blend((2 * sum + 13) / 26, level, share);
            }
        }
    }

    private int column(int middle, int stride) {
        return (original[middle - stride] & WHITE) + (original[middle] & WHITE) + (original[middle + stride] & WHITE);
    }

    private void blendWith(int degenerate, double factor) {
        float share = (float) factor;
        for (int level = 0; level < LEVELS; level++) {
            table[level] = blend(degenerate, level, share);
        }
        lookUp(0, 1);
    }

    /** In single precision and without rounding, as Pillow does. */
    private static byte blend(int degenerate, int level, float factor) {
        return (byte) clamp((int) (degenerate + factor * (level - degenerate)));
    }

    /** The luma of ITU-R 601-2, to the nearest level. */
    private int grey(int pixel) {
        return ((image[pixel] & WHITE) * 19595
                        + (image[pixel + 1] & WHITE) * 38470
                        + (image[pixel + 2] & WHITE) * 7471
                        + 0x8000)
                >> 16;
    }

    /** @param shift of the hue, a byte of Pillow's HSV; the way there and back moves some levels even for 0 */
    void hue(int shift) {
        if (shape.channels() == 1) {
            return;
        }
        for (int i = 0; i < shape.bytes(); i += 3) {
            int red = image[i] & WHITE;
            int green = image[i + 1] & WHITE;
            int blue = image[i + 2] & WHITE;
            int most = Math.max(red, Math.max(green, blue));
            int least = Math.min(red, Math.min(green, blue));
            // Without a saturation of at least 1 a hue means nothing, and the result is the grey of the brightest.
            int saturation = most == least ? 0 : (int) ((float) (most - least) / most * 255.0);
            if (saturation == 0) {
                Arrays.fill(image, i, i + 3, (byte) most);
            } else {
                int hue = hueOf(red, green, blue, most, least) + shift & WHITE;
                fromHsv(i, hue, saturation, most);
            }
        }
    }

    private static int hueOf(int red, int green, int blue, int most, int least) {
        float range = most - least;
        float fromRed = (most - red) / range;
        float fromGreen = (most - green) / range;
        float fromBlue = (most - blue) / range;
        float sixths;
        if (red == most) {
            sixths = fromBlue - fromGreen;
        } else if (green == most) {
            sixths = (float) (2.0 + fromRed - fromBlue);
        } else {
            sixths = (float) (4.0 + fromGreen - fromRed);
        }
        return (int) ((float) ((sixths / 6.0 + 1.0) % 1.0) * 255.0);
    }

    private void fromHsv(int pixel, int hue, int saturation, int value) {
        int sixth = (int) Math.floor(hue * 6.0 / 255.0);
        float rest = (float) (hue * 6.0 / 255.0 - sixth);
        float share = (float) (saturation / 255.0);
        byte most = (byte) value;
        byte least = (byte) (value * (1.0 - share) + 0.5);
        byte falling = (byte) (value * (1.0 - share * rest) + 0.5);
        byte rising = (byte) (value * (1.0 - share * (1.0 - rest)) + 0.5);
        switch (sixth % 6) {
            case 0 -> put(pixel, most, rising, least);
            case 1 -> put(pixel, falling, most, least);
            case 2 -> put(pixel, least, most, rising);
            case 3 -> put(pixel, least, falling, most);
            case 4 -> put(pixel, rising, least, most);
            default -> put(pixel, most, least, falling);
        }
    }

    private void put(int pixel, byte red, byte green, byte blue) {
        image[pixel] = red;
        image[pixel + 1] = green;
        image[pixel + 2] = blue;
    }

    private void keepOriginal() {
        int length = shape.bytes();
        if (original.length < length) {
            original = new byte[length];
        }
        System.arraycopy(image, 0, original, 0, length);
    }

    private static int clamp(int level) {
        return Math.max(0, Math.min(WHITE, level));
    }
}
