package io.polder.nn;

import java.util.Arrays;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Stochastic depth (Huang et al., ECCV 2016): drops a residual branch as a whole, for each image with the given probability, and
 * scales it up by 1/(1 − probability) where it stays, so that the mean is kept. Off at inference. One draw an image, from the
 * step's stream: both passes of a step drop the same branches.
 */
public record DropPath(double probability) {
    public DropPath {
        if (!(probability >= 0 && probability < 1)) {
            throw new IllegalArgumentException("dropPath is " + probability + ": it must be at least 0 and below 1");
        }
    }

    /** @param branch what would be added to the shortcut, images first */
    public Tensor forward(Tensor branch, Forward forward) {
        if (!forward.training() || probability == 0) {
            return branch;
        }
        double kept = 1 - probability;
        long[] oneAnImage = new long[branch.shape().length];
        Arrays.fill(oneAnImage, 1);
        oneAnImage[0] = branch.size(0);
        Tensor mask = forward.undrawn(oneAnImage).bernoulli_(kept, new GeneratorOptional(forward.generator()));
        return branch.mul(mask.mul_(new Scalar(1 / kept)).to(branch));
    }
}
