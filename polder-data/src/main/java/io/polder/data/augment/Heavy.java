package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.SplittableRandom;

/**
 * The paper's heavy augmentation, for its vision transformers: "resizing to 72 × 72, random flipping, random rotating,
 * random zooming, random cropping and finally resizing to 48 × 48". Unlike others it changes the size.
 *
 * <p>These numbers are all that the paper gives. Assumed here:
 *
 * <table>
 *   <caption>What the paper leaves open</caption>
 *   <tr><td>flipping</td><td>left to right, every other image</td></tr>
 *   <tr><td>rotating</td><td>by up to 0.02 of a turn (7.2°) either way, uniform: Keras' example of a vision transformer on
 *       CIFAR, which resizes to 72 × 72 as well, then flips, rotates and zooms</td></tr>
 *   <tr><td>zooming</td><td>height and width by a factor of 0.8 to 1.2 each, uniform and independent, about the centre;
 *       from the same example</td></tr>
 *   <tr><td>cropping</td><td>63 × 63 at one of 10 × 10 places: 7/8 of the side, which is ImageNet's 224 of 256. A crop of
 *       48 would leave nothing to resize</td></tr>
 *   <tr><td>beyond the border</td><td>the image mirrored, its outermost pixels repeated; Keras' default</td></tr>
 *   <tr><td>evaluation</td><td>the whole image, resized to 48 × 48</td></tr>
 * </table>
 *
 * <p>The images come resized to 72 × 72, by the framing of the pipeline {@code heavy}. All that follows is one affine map here, sampled
 * once, linearly between four pixels, where a chain of layers would blur the image three times over; and the mirror image beyond the
 * border is that of the image, not of an image already rotated. One instance serves many threads.
 *
 * @param turn the largest rotation either way, as a share of a full turn
 * @param zoom how far the zoom's two factors go from 1
 * @param crop the side of the crop, of 72
 */
public record Heavy(double turn, double zoom, int crop) implements Augmentation {
    /** The side at which images are flipped, rotated, zoomed and cropped. */
    public static final int RESIZED = 72;

    /** The side the network sees. */
    public static final int SIDE = 48;

    /** What it makes. For each thread one, kept. */
    private static final ThreadLocal<byte[]> MADE = ThreadLocal.withInitial(() -> new byte[0]);

    public Heavy {
        if (!(turn >= 0 && turn <= 0.5)) {
            throw new IllegalArgumentException("turn is " + turn + ": it must be 0 to 0.5");
        }
        if (!(zoom >= 0 && zoom < 1)) {
            throw new IllegalArgumentException("zoom is " + zoom + ": it must be at least 0 and below 1");
        }
        if (crop < 1 || crop > RESIZED) {
            throw new IllegalArgumentException("crop is " + crop + ": it must be 1 to " + RESIZED);
        }
    }

    public Heavy() {
        this(0.02, 0.2, 63);
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        if (shape.height() > RESIZED || shape.width() > RESIZED) {
            // So many pixels would fall together that four of them would not stand for the rest.
            throw new IllegalArgumentException(
                    "the image is %s: it must have at most %d pixels a side".formatted(shape, RESIZED));
        }
        int bytes = output(shape).bytes();
        byte[] made = MADE.get();
        if (made.length < bytes) {
            made = new byte[bytes];
            MADE.set(made);
        }
        draw(random).sample(image, shape.width(), shape.height(), shape.channels(), made, SIDE);
        System.arraycopy(made, 0, image, 0, bytes);
    }

    @Override
    public ImageShape output(ImageShape input) {
        return new ImageShape(input.channels(), SIDE, SIDE);
    }

    Map draw(SplittableRandom random) {
        boolean mirrored = random.nextBoolean();
        double angle = 2 * Math.PI * turn * (2 * random.nextDouble() - 1);
        double zoomX = 1 + zoom * (2 * random.nextDouble() - 1);
        double zoomY = 1 + zoom * (2 * random.nextDouble() - 1);
        int left = random.nextInt(RESIZED - crop + 1);
        int top = random.nextInt(RESIZED - crop + 1);
        return new Map(mirrored, angle, zoomX, zoomY, left, top, crop);
    }

    /**
     * Where the new pixels come from.
     *
     * @param angle in radians
     * @param zoomX above 1, more of the image is seen
     */
    record Map(boolean mirrored, double angle, double zoomX, double zoomY, int left, int top, int crop) {
        private static final double CENTRE = RESIZED / 2.0;

        /** Backwards, from a new pixel's centre: out of the crop, the zoom, the rotation, the flip and the resizing. */
        void sample(byte[] image, int width, int height, int channels, byte[] destination, int side) {
            // StrictMath, so that a seed means the same pixels on every machine.
            double cosine = StrictMath.cos(angle);
            double sine = StrictMath.sin(angle);
            double flip = mirrored ? -1 : 1;
            double scaleX = (double) width / RESIZED;
            double scaleY = (double) height / RESIZED;
            double pixel = (double) crop / side;
            int to = 0;
            for (int y = 0; y < side; y++) {
                double zoomedY = zoomY * (top + (y + 0.5) * pixel - CENTRE);
                for (int x = 0; x < side; x++) {
                    double zoomedX = zoomX * (left + (x + 0.5) * pixel - CENTRE);
                    double fromX = CENTRE + flip * (cosine * zoomedX - sine * zoomedY);
                    double fromY = CENTRE + sine * zoomedX + cosine * zoomedY;
                    interpolate(
                            image,
                            width,
                            height,
                            channels,
                            fromX * scaleX - 0.5,
                            fromY * scaleY - 0.5,
                            destination,
                            to);
                    to += channels;
                }
            }
        }

        private static void interpolate(
                byte[] image, int width, int height, int channels, double x, double y, byte[] destination, int to) {
            int left = (int) Math.floor(x);
            int top = (int) Math.floor(y);
            float right = (float) (x - left);
            float below = (float) (y - top);
            int leftAt = inside(left, width) * channels;
            int rightAt = inside(left + 1, width) * channels;
            int topAt = inside(top, height) * width * channels;
            int bottomAt = inside(top + 1, height) * width * channels;
            for (int channel = 0; channel < channels; channel++) {
                float upper =
                        between(image[topAt + leftAt + channel] & 0xff, image[topAt + rightAt + channel] & 0xff, right);
                float lower = between(
                        image[bottomAt + leftAt + channel] & 0xff, image[bottomAt + rightAt + channel] & 0xff, right);
                destination[to + channel] = (byte) (upper + below * (lower - upper) + 0.5f);
            }
        }

        private static float between(int from, int to, float share) {
            return from + share * (to - from);
        }

        /** The mirror image beyond the border: {@code b a | a b c | c b}. */
        private static int inside(int index, int size) {
            if (index >= 0 && index < size) {
                return index;
            }
            int folded = Math.floorMod(index, 2 * size);
            return folded < size ? folded : 2 * size - 1 - folded;
        }
    }
}
