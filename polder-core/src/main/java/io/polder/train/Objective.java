package io.polder.train;

import io.polder.nn.SoftCrossEntropy;
import io.polder.tensor.Precision;
import java.util.Objects;

/**
 * What is minimised: cross-entropy plus ½·l2·‖θ‖², and how it is computed.
 *
 * @param loss with its label smoothing
 * @param l2 weight decay inside the loss, seen by both passes; 0 for none
 * @param l2SkipsVectors leaves biases and normalisation out of it
 * @param microBatch at most so many images go through the network at once; the gradient is that of the whole batch
 * @param precision of the forward passes; evaluation is in float32 always
 */
public record Objective(SoftCrossEntropy loss, double l2, boolean l2SkipsVectors, int microBatch, Precision precision) {
    public Objective {
        if (!(l2 >= 0 && l2 < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("l2 is " + l2 + ": it must be a finite number of at least 0");
        }
        if (microBatch < 1) {
            throw new IllegalArgumentException("microBatch is " + microBatch + ": it must be at least 1");
        }
        Objects.requireNonNull(precision, "precision");
    }

    /** Plain cross-entropy and L2 in float32, the whole batch at once. */
    public static Objective crossEntropy(double l2) {
        return new Objective(new SoftCrossEntropy(0), l2, false, Integer.MAX_VALUE, Precision.FLOAT32);
    }
}
