package io.polder.optim;

import io.polder.tensor.FlatParameters;

/**
 * Scales the whole gradient down to {@code maximum} when its norm is not below it. Acts on the gradient that the optimizer will
 * step with: after the scheme mixed it, after it was averaged over workers (F7).
 */
public record ClipByGlobalNorm(double maximum) {
    /** Leaves every gradient as it is. */
    public static final ClipByGlobalNorm NEVER = new ClipByGlobalNorm(Double.POSITIVE_INFINITY);

    public ClipByGlobalNorm {
        if (!(maximum > 0)) {
            throw new IllegalArgumentException("clip is " + maximum + ": it must be above 0");
        }
    }

    /** @param norm the norm of the gradient that is in the buffer, which whoever put it there knows */
    public void apply(FlatParameters parameters, double norm) {
        if (norm >= maximum) {
            parameters.gradient().scale(maximum / norm);
        }
    }
}
