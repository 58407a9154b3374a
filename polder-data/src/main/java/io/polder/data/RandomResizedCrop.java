package io.polder.data;

import io.polder.image.Area;
import io.polder.image.Frame;
import java.util.SplittableRandom;

/**
 * A random part of the image, of random proportions, resized to a square: "Going Deeper with Convolutions" (Szegedy et
 * al., 2015), in the form torchvision gave it.
 *
 * <p>The crop has a share of the area uniform in {@code leastArea} to {@code mostArea} and a ratio of width to height
 * whose logarithm is uniform between those of {@code leastRatio} and {@code mostRatio}; its place is uniform. A crop that
 * does not fit is drawn again; after ten draws the largest crop in the middle that keeps to the ratios is taken.
 *
 * @param flip whether half the images are mirrored left to right
 */
record RandomResizedCrop(int side, double leastArea, double mostArea, double leastRatio, double mostRatio, boolean flip)
        implements Framing {
    private static final int ATTEMPTS = 10;

    RandomResizedCrop {
        if (side < 1) {
            throw new IllegalArgumentException("side is " + side + ": it must be at least 1");
        }
        if (!(leastArea > 0) || !(mostArea <= 1) || leastArea > mostArea) {
            throw new IllegalArgumentException(
                    "area is %s to %s: it must be a range above 0 and at most 1".formatted(leastArea, mostArea));
        }
        if (!(leastRatio > 0) || !Double.isFinite(mostRatio) || leastRatio > mostRatio) {
            throw new IllegalArgumentException(
                    "ratio is %s to %s: it must be a range above 0".formatted(leastRatio, mostRatio));
        }
    }

    @Override
    public int height() {
        return side;
    }

    @Override
    public int width() {
        return side;
    }

    @Override
    public boolean isRandom() {
        return true;
    }

    @Override
    public Frame frame(int imageHeight, int imageWidth, SplittableRandom random) {
        Area crop = crop(imageHeight, imageWidth, random);
        return Frame.of(crop, side, side, flip && random.nextBoolean());
    }

    private Area crop(int imageHeight, int imageWidth, SplittableRandom random) {
        double area = (double) imageHeight * imageWidth;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            double target = area * between(leastArea, mostArea, random.nextDouble());
            double ratio = Math.exp(between(Math.log(leastRatio), Math.log(mostRatio), random.nextDouble()));
            int width = (int) Math.rint(Math.sqrt(target * ratio));
            int height = (int) Math.rint(Math.sqrt(target / ratio));
            if (width >= 1 && width <= imageWidth && height >= 1 && height <= imageHeight) {
                return new Area(
                        random.nextInt(imageHeight - height + 1),
                        random.nextInt(imageWidth - width + 1),
                        height,
                        width);
            }
        }
        return middle(imageHeight, imageWidth);
    }

    private Area middle(int imageHeight, int imageWidth) {
        double ratio = (double) imageWidth / imageHeight;
        int width = imageWidth;
        int height = imageHeight;
        if (ratio < leastRatio) {
            height = Math.max(1, (int) Math.rint(imageWidth / leastRatio));
        } else if (ratio > mostRatio) {
            width = Math.max(1, (int) Math.rint(imageHeight * mostRatio));
        }
        return new Area((imageHeight - height) / 2, (imageWidth - width) / 2, height, width);
    }

    /** Unlike the generator's own range, it may be of no width. */
    private static double between(double least, double most, double share) {
        return least + (most - least) * share;
    }
}
