package io.polder.loss;

import io.polder.tensor.ParameterGroups;
import io.polder.tensor.Precision;
import java.util.Objects;

/**
 * What a pass adds to the loss, ½·l2·‖θ‖², and how the batch goes through the network.
 *
 * @param l2 weight decay inside the loss, seen by both passes; 0 for none
 * @param l2SkipsVectors leaves biases and normalisation out of it
 * @param microBatch at most so many examples go through the network at once; the gradient is that of the whole batch
 * @param precision of the forward passes; evaluation is in float32 always
 * @param groups what {@code l2} is multiplied by, for some parameters
 */
public record PassOptions(
        double l2, boolean l2SkipsVectors, int microBatch, Precision precision, ParameterGroups groups) {
    public PassOptions {
        if (!(l2 >= 0 && l2 < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("l2 is " + l2 + ": it must be a finite number of at least 0");
        }
        if (microBatch < 1) {
            throw new IllegalArgumentException("microBatch is " + microBatch + ": it must be at least 1");
        }
        Objects.requireNonNull(precision, "precision");
        Objects.requireNonNull(groups, "groups");
    }

    /** All parameters alike. */
    public PassOptions(double l2, boolean l2SkipsVectors, int microBatch, Precision precision) {
        this(l2, l2SkipsVectors, microBatch, precision, ParameterGroups.NONE);
    }

    /** L2 on all parameters, in float32, the whole batch at once. */
    public static PassOptions l2(double l2) {
        return new PassOptions(l2, false, Integer.MAX_VALUE, Precision.FLOAT32);
    }
}
