package io.polder.data;

import java.io.IOException;
import java.util.Objects;
import java.util.SplittableRandom;

/** Images through a framing. */
record FramedPictures(ImageSource pictures, Framing framing, ImageShape shape) implements ImageSource {
    FramedPictures {
        Objects.requireNonNull(pictures, "pictures");
        Objects.requireNonNull(framing, "framing");
    }

    @Override
    public int size() {
        return pictures.size();
    }

    @Override
    public int classes() {
        return pictures.classes();
    }

    @Override
    public int label(int index) {
        return pictures.label(index);
    }

    @Override
    public int[] labels(int index) {
        return pictures.labels(index);
    }

    /** Under a random framing, one choice for each picture that is always the same. */
    @Override
    public void read(int index, byte[] destination) throws IOException {
        read(index, destination, new SplittableRandom(index));
    }

    @Override
    public void read(int index, byte[] destination, SplittableRandom random) throws IOException {
        pictures.read(index, framing, destination, random);
    }
}
