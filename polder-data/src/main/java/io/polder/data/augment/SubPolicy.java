package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.SplittableRandom;

/** Two operations of a policy, one after the other, each with its probability and its level. */
record SubPolicy(Step first, Step second) {
    record Step(Operation operation, double probability, int level) {
        Step {
            if (!(probability >= 0 && probability <= 1)) {
                throw new IllegalArgumentException("probability is " + probability + ": it must be 0 to 1");
            }
            if (level < 0 || level > 10) {
                throw new IllegalArgumentException("level is " + level + ": it must be 0 to 10");
            }
        }

        boolean happens(SplittableRandom random) {
            return random.nextDouble() < probability;
        }

        double argument(Magnitudes magnitudes, ImageShape shape, SplittableRandom random) {
            return magnitudes.argument(operation, level, shape, random.nextBoolean() ? 1 : -1);
        }

        void apply(Canvas canvas, Magnitudes magnitudes, SplittableRandom random) {
            if (happens(random)) {
                operation.apply(canvas, argument(magnitudes, canvas.shape(), random), random);
            }
        }
    }
}
