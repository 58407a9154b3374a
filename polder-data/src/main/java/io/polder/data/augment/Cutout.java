package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.SplittableRandom;

/**
 * Blanks a square of each image: "Improved Regularization of Convolutional Neural Networks with Cutout" (DeVries and
 * Taylor, 2017).
 *
 * <p>The square's centre is equally likely at every pixel; what lies outside the image is lost, so most squares of 16 in
 * an image of 32 are smaller. Every image has a square of its own (in SAM's code, a batch has one).
 *
 * <p>It writes byte 0, which is black. Codes differ here: those that blank after normalisation (SAM's and that of the paper on cutout)
 * put the mean colour there.
 *
 * @param side of the square, in pixels; 16 on CIFAR-10 in the paper
 */
public record Cutout(int side) implements Augmentation {
    public Cutout {
        if (side < 1) {
            throw new IllegalArgumentException("side is " + side + ": it must be at least 1");
        }
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        Box.atRandomCentre(side, side, shape, random).fill((byte) 0, image, shape);
    }
}
