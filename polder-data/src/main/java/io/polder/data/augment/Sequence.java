package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.Objects;
import java.util.SplittableRandom;

/** Two augmentations, one after the other. A record rather than a lambda, so that it prints as what it does. */
record Sequence(Augmentation first, Augmentation second) implements Augmentation {
    Sequence {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        first.apply(image, shape, random);
        second.apply(image, first.output(shape), random);
    }

    @Override
    public ImageShape output(ImageShape input) {
        return second.output(first.output(input));
    }
}
