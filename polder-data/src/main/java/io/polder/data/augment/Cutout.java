package io.polder.data.augment;

import io.polder.data.ImageShape;
import io.polder.data.Normalization;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Blanks a square of each image: "Improved Regularization of Convolutional Neural Networks with Cutout" (DeVries and
 * Taylor, 2017).
 *
 * <p>The square's centre is equally likely at every pixel; what lies outside the image is lost, so most squares of 16 in
 * an image of 32 are smaller. Every image has a square of its own (in SAM's code, a batch has one).
 *
 * <p>{@code new Cutout(side)} writes byte 0, which is black. Codes differ here: those that blank after normalisation
 * (SAM's and that of the paper on cutout) put the mean colour there, and {@link #ofMeanColour} does so to within half a
 * level of 256.
 *
 * @param side of the square, in pixels; 16 on CIFAR-10 in the paper
 * @param colour of the square, 0 to 255: one value for each channel, or a single one for all
 */
public record Cutout(int side, List<Integer> colour) implements Augmentation {
    private static final int WHITE = 255;

    public Cutout {
        if (side < 1) {
            throw new IllegalArgumentException("side is " + side + ": it must be at least 1");
        }
        colour = List.copyOf(colour);
        if (colour.isEmpty() || colour.stream().anyMatch(level -> level < 0 || level > WHITE)) {
            throw new IllegalArgumentException(
                    "colour is " + colour + ": it must have a value of 0 to 255 for each channel, or one for all");
        }
    }

    public Cutout(int side) {
        this(side, List.of(0));
    }

    /** The square becomes (nearly) 0 when the image is normalised. */
    public static Cutout ofMeanColour(int side, Normalization normalization) {
        float[] mean = normalization.mean();
        return new Cutout(
                side,
                IntStream.range(0, mean.length)
                        .mapToObj(channel -> Math.round(WHITE * mean[channel]))
                        .toList());
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        if (colour.size() != 1 && colour.size() != shape.channels()) {
            throw new IllegalArgumentException("colour is %s: it must have 1 or %d values for images of %s"
                    .formatted(colour, shape.channels(), shape));
        }
        blank(Box.atRandomCentre(side, side, shape, random), image, shape);
    }

    private void blank(Box square, byte[] image, ImageShape shape) {
        int first = square.start(square.top(), shape);
        int length = square.rowBytes(shape);
        for (int i = 0; i < length; i++) {
            image[first + i] = colour.get(i % colour.size()).byteValue();
        }
        for (int row = square.top() + 1; row < square.bottom(); row++) {
            System.arraycopy(image, first, image, square.start(row, shape), length);
        }
    }
}
