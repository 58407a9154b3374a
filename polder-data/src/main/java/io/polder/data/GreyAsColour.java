package io.polder.data;

import java.io.IOException;
import java.util.SplittableRandom;

/** Grey images as colour images of three equal channels, for networks that take no others. */
public final class GreyAsColour implements ImageView {
    private static final int COLOUR = 3;

    private final ImageSource grey;
    private final ImageShape shape;

    public GreyAsColour(ImageSource grey) {
        if (grey.shape().channels() != 1) {
            throw new IllegalArgumentException(
                    "the images have " + grey.shape().channels() + " channels: grey ones have 1");
        }
        this.grey = grey;
        this.shape = new ImageShape(COLOUR, grey.shape().height(), grey.shape().width());
    }

    @Override
    public ImageSource source() {
        return grey;
    }

    @Override
    public ImageShape shape() {
        return shape;
    }

    @Override
    public void read(int index, byte[] destination) throws IOException {
        grey.read(index, destination);
        spread(destination);
    }

    @Override
    public void read(int index, byte[] destination, SplittableRandom random) throws IOException {
        grey.read(index, destination, random);
        spread(destination);
    }

    /** In place, from the end: no pixel is overwritten before it was read. */
    private void spread(byte[] image) {
        for (int pixel = grey.shape().bytes() - 1; pixel >= 0; pixel--) {
            byte level = image[pixel];
            image[COLOUR * pixel] = level;
            image[COLOUR * pixel + 1] = level;
            image[COLOUR * pixel + 2] = level;
        }
    }
}
