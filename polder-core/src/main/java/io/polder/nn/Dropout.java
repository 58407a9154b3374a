package io.polder.nn;

import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
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
        double kept = 1 - probability;
        Tensor mask = forward.undrawn(x.shape()).bernoulli_(kept, new GeneratorOptional(forward.generator()));
        return x.mul(mask.mul_(new Scalar(1 / kept)).to(x));
    }
}
