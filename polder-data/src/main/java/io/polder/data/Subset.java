package io.polder.data;

import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Some images of another source, in the order of their indices; nothing is copied but those. Their classes are those of the whole
 * source, also where some of them have no image here: networks must agree on them.
 */
record Subset(ImageSource source, int[] indices) implements ImageView {
    Subset {
        indices = indices.clone();
        for (int i = 0; i < indices.length; i++) {
            if (indices[i] < 0 || indices[i] >= source.size()) {
                throw new IllegalArgumentException(
                        "indices[%d] is %d: it must be 0 to %d".formatted(i, indices[i], source.size() - 1));
            }
        }
    }

    @Override
    public int size() {
        return indices.length;
    }

    @Override
    public int label(int index) {
        return source.label(indices[index]);
    }

    @Override
    public int[] labels(int index) {
        return source.labels(indices[index]);
    }

    @Override
    public String name(int index) {
        return source.name(indices[index]);
    }

    @Override
    public void read(int index, byte[] destination) throws IOException {
        source.read(indices[index], destination);
    }

    @Override
    public void read(int index, byte[] destination, SplittableRandom random) throws IOException {
        source.read(indices[index], destination, random);
    }
}
