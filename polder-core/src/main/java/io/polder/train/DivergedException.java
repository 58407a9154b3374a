package io.polder.train;

import io.polder.penalty.NonFiniteStepException;

/** The training blew up. */
public final class DivergedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DivergedException(NonFiniteStepException e) {
        super("the training diverged at " + e.getMessage(), e);
    }

    DivergedException(long step, String what) {
        super(
                "the training diverged at step " + step + ": " + what
                        + "; try a smaller learning rate, a warm-up, a smaller r, an alpha between 0 and 1, or gradient clipping");
    }
}
