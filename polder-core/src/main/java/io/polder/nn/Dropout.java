package io.polder.nn;

import io.polder.tensor.KeepMask;
import org.bytedeco.pytorch.Tensor;

/**
 * Zeroes each element with the given probability and scales the others up, drawing from the step's stream: the engine's own
 * dropout draws from its global generator, so the second pass of a step would see another network than the first.
 */
public record Dropout(double probability) {
    public Dropout {
        if (!(probability >= 0 && probability < 1)) {
            throw new IllegalArgumentException("dropout is " + probability + ": it must be at least 0 and below 1");
        }
    }

    public Tensor forward(Tensor x, Forward forward) {
        if (!forward.training() || probability == 0) {
            return x;
        }
        return x.mul(
                KeepMask.draw(1 - probability, forward.generator(), x.shape()).to(x));
    }
}
