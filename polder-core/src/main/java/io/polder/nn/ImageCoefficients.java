package io.polder.nn;

import org.bytedeco.pytorch.Tensor;

/**
 * What Shake-Shake and ShakeDrop have in common: one number for each image that scales a branch, and one that scales the
 * branch's gradient.
 *
 * <p>The first pass of two uses the first for both (F8): g1 must be the gradient of something, or the direction it gives is not
 * that of the steepest ascent. What is stepped with, in the perturbed pass and in a step of one pass, has a gradient that is not
 * its value's, as in the papers. Each layer draws both sets in every pass, in the same order, so that all draws after it are
 * the same in all (F1).
 *
 * @param value (n, 1, 1, 1)
 * @param gradient (n, 1, 1, 1)
 */
record ImageCoefficients(Tensor value, Tensor gradient) {
    Tensor scale(Tensor x, Pass pass) {
        if (pass == Pass.REFERENCE) {
            return x.mul(value);
        }
        // Zero, but with a gradient: adding it leaves the value that of the reference pass, bit for bit.
        Tensor nothing = x.sub(x.detach());
        return x.detach().mul(value).add(nothing.mul(gradient));
    }
}
