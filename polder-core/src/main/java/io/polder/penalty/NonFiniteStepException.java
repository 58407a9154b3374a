package io.polder.penalty;

/** A step met a NaN or an infinity. The parameters are as they were before the step. */
public final class NonFiniteStepException extends ArithmeticException {
    private static final long serialVersionUID = 1;

    private final long step;

    private NonFiniteStepException(String what, double value, long step) {
        super("step " + step + ": the " + what + " is " + value
                + "; the parameters are as before the step: try a smaller learning rate or r, or clip the gradient");
        this.step = step;
    }

    public long step() {
        return step;
    }

    static double requireFinite(double value, String what, long step) {
        if (!Double.isFinite(value)) {
            throw new NonFiniteStepException(what, value, step);
        }
        return value;
    }
}
