package io.polder.nn;

import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Keeps a branch, or scales it at random (Yamada and others, 2018). For each image the branch is multiplied by b + α − b·α and its
 * gradient by b + β − b·β, with b ~ Bernoulli(keep), α ~ U(−1, 1) and β ~ U(0, 1). At inference it is multiplied by the
 * expectation of the former, which is {@code keep}, as that of α is zero.
 *
 * <p>The first pass of a step of two has the true gradient of its value, scaled by α as the value is (F8).
 *
 * @param keep the probability that a branch stays as it is
 */
public record ShakeDrop(double keep) {
    public ShakeDrop {
        if (!(keep >= 0 && keep <= 1)) {
            throw new IllegalArgumentException("keep is " + keep + ": it must be between 0 and 1");
        }
    }

    /** Less is kept the deeper the block is, down to ½ in the last: keep = 1 − ½·block/blocks, with blocks counted from 1. */
    public static ShakeDrop ofBlock(int block, int blocks) {
        return new ShakeDrop(1 - 0.5 * block / blocks);
    }

    public Tensor forward(Tensor x, Forward forward) {
        if (!forward.training()) {
            return x.mul(new Scalar(keep));
        }
        var generator = new GeneratorOptional(forward.generator());
        long n = x.size(0);
        Tensor b = forward.undrawn(n, 1, 1, 1).bernoulli_(keep, generator);
        Tensor alpha = forward.undrawn(n, 1, 1, 1).uniform_(-1, 1, generator);
        Tensor beta = forward.undrawn(n, 1, 1, 1).uniform_(0, 1, generator);
        var coefficients = new ImageCoefficients(
                unlessKept(b, alpha).to(x), unlessKept(b, beta).to(x));
        return coefficients.scale(x, forward.pass());
    }

    /** b + (1 − b)·other, which is b + other − b·other without its rounding: exactly 1 where b is. */
    private static Tensor unlessKept(Tensor b, Tensor other) {
        return torch.rsub(b, new Scalar(1.0)).mul_(other).add_(b);
    }

    /** As an expression of another. */
    public String script(String x) {
        return x + " * " + keep;
    }
}
