package io.polder.data;

import java.io.IOException;
import java.util.SplittableRandom;

/** Grey images as colour images of three equal channels, for networks that take no others. */
public record GreyAsColour(ImageSource source) implements ImageView {
    private static final int COLOUR = 3;

    public GreyAsColour {
        if (source.shape().channels() != 1) {
            throw new IllegalArgumentException(
                    "the images have " + source.shape().channels() + " channels: grey ones have 1");
        }
    }

    @Override
    public ImageShape shape() {
        ImageShape grey = source.shape();
        return new ImageShape(COLOUR, grey.height(), grey.width());
    }

    @Override
    public void read(int index, byte[] destination) throws IOException {
        source.read(index, destination);
        spread(destination);
    }

    @Override
    public void read(int index, byte[] destination, SplittableRandom random) throws IOException {
        source.read(index, destination, random);
        spread(destination);
    }

    /** In place, from the end: no pixel is overwritten before it was read. */
    private void spread(byte[] image) {
        for (int pixel = source.shape().bytes() - 1; pixel >= 0; pixel--) {
            byte level = image[pixel];
            image[COLOUR * pixel] = level;
            image[COLOUR * pixel + 1] = level;
            image[COLOUR * pixel + 2] = level;
        }
    }
}
