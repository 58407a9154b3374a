package io.polder.data.augment;

import io.polder.data.Batch;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * On each batch one of two augmentations or, with the probability left over, none.
 *
 * @param firstProbability 0 to 1; the two sum to at most 1
 */
public record EitherOf(
        BatchAugmentation first, double firstProbability, BatchAugmentation second, double secondProbability)
        implements BatchAugmentation {
    public EitherOf {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
        requireProbability("firstProbability", firstProbability);
        requireProbability("secondProbability", secondProbability);
        if (firstProbability + secondProbability > 1) {
            throw new IllegalArgumentException(
                    "firstProbability is %s and secondProbability %s: they must sum to at most 1"
                            .formatted(firstProbability, secondProbability));
        }
    }

    @Override
    public void apply(Batch batch, SplittableRandom random) {
        double drawn = random.nextDouble();
        if (drawn < firstProbability) {
            first.apply(batch, random);
        } else if (drawn < firstProbability + secondProbability) {
            second.apply(batch, random);
        }
    }

    static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be 0 to 1");
        }
    }
}
