package io.polder.penalty;

/** A step met a NaN or an infinity. The network is as it was before the step: parameters, and running statistics too. */
public final class NonFiniteStepException extends ArithmeticException {
    private static final long serialVersionUID = 1;

    private final long step;

    private NonFiniteStepException(String what, double value, long step) {
        super("step " + step + ": the " + what + " is " + value
                + "; the network is as before the step: try a smaller learning rate or r, or clip the gradient");
        this.step = step;
    }

    public long step() {
        return step;
    }

    /** Refuses a step: its passes are taken back before it throws. */
    static double requireFinite(double value, String what, long step, LossPass pass) {
        if (!Double.isFinite(value)) {
            pass.takeBack();
            throw new NonFiniteStepException(what, value, step);
        }
        return value;
    }
}
