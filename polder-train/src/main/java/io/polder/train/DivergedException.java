package io.polder.train;

import io.polder.penalty.NonFiniteStepException;

/** The training blew up. */
public final class DivergedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long ruinedFrom;

    DivergedException(NonFiniteStepException e) {
        super("the training diverged at " + e.getMessage(), e);
        ruinedFrom = e.step();
    }

    DivergedException(long step, String what, long ruinedFrom) {
        super(
                "the training diverged at step " + step + ": " + what
                        + "; try a smaller learning rate, a warm-up, a smaller r, an alpha between 0 and 1, or gradient clipping");
        this.ruinedFrom = ruinedFrom;
    }

    /**
     * How many steps are done in the first state that is not worth going back to. One that diverged before its step was taken
     * would do so again, whatever the learning rate.
     */
    public long ruinedFrom() {
        return ruinedFrom;
    }
}
