package io.polder.data;

import java.io.IOException;
import java.util.SplittableRandom;

/** Images through a framing. */
record FramedPictures(ImageSource source, Framing framing, ImageShape shape) implements ImageView {
    /** Under a random framing, one choice for each picture that is always the same. */
    @Override
    public void read(int index, byte[] destination) throws IOException {
        read(index, destination, new SplittableRandom(index));
    }

    @Override
    public void read(int index, byte[] destination, SplittableRandom random) throws IOException {
        source.read(index, framing, destination, random);
    }
}
