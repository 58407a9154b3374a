package io.polder.data;

/** The shape every image of a data set has. */
public record ImageShape(int channels, int height, int width) {
    public ImageShape {
        requirePositive("channels", channels);
        requirePositive("height", height);
        requirePositive("width", width);
        if ((long) channels * height > Integer.MAX_VALUE / width) {
            throw new IllegalArgumentException(
                    "an image of %d x %d x %d is too large: it must have fewer than 2^31 bytes"
                            .formatted(channels, height, width));
        }
    }

    /** The bytes of one image, a byte for each channel of each pixel. */
    public int bytes() {
        return channels * height * width;
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be at least 1");
        }
    }
}
