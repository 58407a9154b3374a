package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.SplittableRandom;

/**
 * A random change to an image that leaves its class as it was.
 *
 * <p>Changes the bytes in place (row-major order of height, width, channel). Many threads call one augmentation at
 * once; its choices come from {@code random} only, which belongs to this image in this epoch.
 */
@FunctionalInterface
public interface Augmentation {
    Augmentation NONE = (image, shape, random) -> {};

    void apply(byte[] image, ImageShape shape, SplittableRandom random);

    /**
     * The shape of what it makes of an image: as a rule the same. One that makes images smaller leaves the result at the
     * start of the array; none makes them larger.
     */
    default ImageShape output(ImageShape input) {
        return input;
    }

    /** This one, and after it {@code next} on what it made; the draws of both come from one generator, in that order. */
    default Augmentation then(Augmentation next) {
        return new Sequence(this, next);
    }
}
