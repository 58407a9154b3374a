package io.polder.data.augment;

import io.polder.data.Batch;
import java.util.SplittableRandom;

/**
 * A random change to a whole batch: to its images, and to its targets, which stay probabilities that sum to 1.
 *
 * <p>Changes the batch's buffers in place, after every image had its own {@link Augmentation}. Many threads call one
 * batch augmentation at once; its choices come from {@code random} only, which belongs to this batch in this epoch. An
 * epoch's last batch may be smaller, down to a single image.
 */
@FunctionalInterface
public interface BatchAugmentation {
    BatchAugmentation NONE = (batch, random) -> {};

    void apply(Batch batch, SplittableRandom random);

    /** This one on some batches, nothing on the others. */
    default BatchAugmentation withProbability(double probability) {
        return new EitherOf(this, probability, NONE, 0);
    }
}
