package io.polder.data;

import io.polder.image.Area;
import io.polder.image.Frame;
import java.util.SplittableRandom;

/**
 * From an image of any size to one of the network's: which part of it is taken, and how it gets its size.
 *
 * <p>The choice is made from the image's size alone, before it is decoded, so that a JPEG can be decoded at a reduced
 * scale where the crop allows it. A random framing draws from {@code random} only, which belongs to this image in this
 * epoch; the {@linkplain io.polder.data.augment.Augmentation augmentation} then goes on with the same generator. Many
 * threads use one framing at once.
 */
public interface Framing {
    /** Of every image it makes. */
    int height();

    /** Of every image it makes. */
    int width();

    /** Whether two calls for one size can differ. */
    default boolean isRandom() {
        return false;
    }

    /**
     * The frame for one image, of which the window is {@code height()} x {@code width()}.
     *
     * @throws IllegalArgumentException if images of that size cannot be framed: a sentence without the image's name
     */
    Frame frame(int imageHeight, int imageWidth, SplittableRandom random);

    /** Takes images of one size as they are, and no others. */
    static Framing asIs(int height, int width) {
        return new AsIs(height, width);
    }

    /** The whole image, stretched to the size whatever its proportions. */
    static Framing stretched(int height, int width) {
        return new Stretched(height, width);
    }

    /**
     * The usual one for evaluation: resized so that the shorter side has {@code resize} pixels, then the square of
     * {@code side} in the middle.
     */
    static Framing centred(int resize, int side) {
        return new Centred(resize, side);
    }

    /** The usual one for training on photographs, with torchvision's defaults: see {@code RandomResizedCrop}. */
    static Framing randomResizedCrop(int side, boolean flip) {
        return randomResizedCrop(side, 0.08, flip);
    }

    /** @param leastArea the share of the picture that a crop has at least */
    static Framing randomResizedCrop(int side, double leastArea, boolean flip) {
        return new RandomResizedCrop(side, leastArea, 1, 3.0 / 4, 4.0 / 3, flip);
    }

    /** See {@link #asIs}. */
    record AsIs(int height, int width) implements Framing {
        public AsIs {
            requirePositive(height, width);
        }

        @Override
        public Frame frame(int imageHeight, int imageWidth, SplittableRandom random) {
            if (imageHeight != height || imageWidth != width) {
                throw new IllegalArgumentException(
                        "is %d x %d pixels where %d x %d are wanted: say what side all images are to be resized to, as -s model.image=64 does for a recipe"
                                .formatted(imageHeight, imageWidth, height, width));
            }
            return Frame.of(Area.of(height, width), height, width, false);
        }
    }

    /** See {@link #stretched}. */
    record Stretched(int height, int width) implements Framing {
        public Stretched {
            requirePositive(height, width);
        }

        @Override
        public Frame frame(int imageHeight, int imageWidth, SplittableRandom random) {
            return Frame.of(Area.of(imageHeight, imageWidth), height, width, false);
        }
    }

    /** See {@link #centred}. */
    record Centred(int resize, int side) implements Framing {
        public Centred {
            requirePositive(side, side);
            if (resize < side) {
                throw new IllegalArgumentException(
                        "resize is " + resize + ": it must be at least the side that is kept, " + side);
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

        /** Rounds as torchvision does: the longer side down, the middle to the nearest even. */
        @Override
        public Frame frame(int imageHeight, int imageWidth, SplittableRandom random) {
            int shorter = Math.min(imageHeight, imageWidth);
            int resizedHeight = Math.toIntExact((long) resize * imageHeight / shorter);
            int resizedWidth = Math.toIntExact((long) resize * imageWidth / shorter);
            int top = (int) Math.rint((resizedHeight - side) / 2.0);
            int left = (int) Math.rint((resizedWidth - side) / 2.0);
            return new Frame(
                    Area.of(imageHeight, imageWidth),
                    resizedHeight,
                    resizedWidth,
                    new Area(top, left, side, side),
                    false);
        }
    }

    private static void requirePositive(int height, int width) {
        if (height < 1 || width < 1) {
            throw new IllegalArgumentException("size is %d x %d: it must be at least 1 x 1".formatted(height, width));
        }
    }
}
