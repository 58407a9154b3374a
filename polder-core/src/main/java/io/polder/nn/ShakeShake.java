package io.polder.nn;

import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Mixes two branches at random (Gastaldi, 2017): u·a + (1 − u)·b with u ~ U(0, 1) for each image, another u for the gradient,
 * and ½·a + ½·b at inference.
 *
 * <p>The first pass of a step of two has the true gradient of its value, by one u for both (F8).
 */
public final class ShakeShake {
    private ShakeShake() {}

    public static Tensor mix(Tensor a, Tensor b, Forward forward) {
        if (!forward.training()) {
            return a.add(b).mul_(new Scalar(0.5));
        }
        var generator = new GeneratorOptional(forward.generator());
        long[] oneForEachImage = {a.size(0), 1, 1, 1};
        Tensor u = forward.undrawn(oneForEachImage).uniform_(0, 1, generator).to(a);
        Tensor uOfGradient =
                forward.undrawn(oneForEachImage).uniform_(0, 1, generator).to(a);
        // b + u·(a − b): the same mixture with one product, and the gradient of b is 1 − u by itself.
        return b.add(new ImageCoefficients(u, uOfGradient).scale(a.sub(b), forward.pass()));
    }

    /** As an expression of two others. */
    public static String script(String a, String b) {
        return "(" + a + " + " + b + ") * 0.5";
    }
}
