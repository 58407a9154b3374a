package io.polder.train;

/** The training blew up. The weights are still those before the step that shows it. */
public final class DivergedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long step;

    DivergedException(long step, String what, Throwable cause) {
        super(
                "the training diverged at step " + step + ": " + what
                        + "; try a smaller learning rate, a warm-up, a smaller r, an alpha between 0 and 1, or gradient clipping",
                cause);
        this.step = step;
    }

    public long step() {
        return step;
    }
}
