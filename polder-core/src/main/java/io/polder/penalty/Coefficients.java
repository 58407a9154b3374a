package io.polder.penalty;

import io.polder.schedule.Schedule;

/**
 * The penalty's two numbers over the steps of a run: the radius r and the balance α.
 *
 * <p>The weight of the gradient norm in the loss is λ = α·r; either of α and λ may be given. α may be negative or above 1 (the
 * paper studies both), r may not be negative.
 */
public record Coefficients(Schedule r, Schedule alpha) {
    /** Checked at once for the first step, so that a mistake is found before any data is loaded, and then at each step. */
    public Coefficients {
        checkedRadius(r.at(0));
        checkedAlpha(alpha.at(0));
    }

    /** The same at every step. */
    public static Coefficients constant(double r, double alpha) {
        return new Coefficients(Schedule.constant(checkedRadius(r)), Schedule.constant(checkedAlpha(alpha)));
    }

    /** From λ instead of α: α = λ/r at each step, and 0 where r is 0, since nothing is perturbed there. */
    public static Coefficients ofLambda(Schedule r, Schedule lambda) {
        return new Coefficients(r, step -> r.at(step) == 0 ? 0 : lambda.at(step) / r.at(step));
    }

    /** r grows linearly from 0 over the first steps, α stays. */
    public Coefficients warmUpRadius(long steps) {
        return new Coefficients(r.times(Schedule.linearWarmup(steps)), alpha);
    }

    /** λ, and with it α, grows linearly from 0 over the first steps, r stays. */
    public Coefficients warmUpLambda(long steps) {
        return new Coefficients(r, alpha.times(Schedule.linearWarmup(steps)));
    }

    /** No penalty in the first steps: standard training, at its cost. The schedules keep counting from the run's start. */
    public Coefficients offFor(long steps) {
        return new Coefficients(r, step -> step < steps ? 0 : alpha.at(step));
    }

    public double radiusAt(long step) {
        return checkedRadius(r.at(step));
    }

    public double alphaAt(long step) {
        return checkedAlpha(alpha.at(step));
    }

    public double lambdaAt(long step) {
        return alphaAt(step) * radiusAt(step);
    }

    private static double checkedRadius(double r) {
        if (!(r >= 0 && r < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("r is " + r + ": it must be a finite number of at least 0");
        }
        return r;
    }

    private static double checkedAlpha(double alpha) {
        if (!Double.isFinite(alpha)) {
            throw new IllegalArgumentException("alpha is " + alpha + ": it must be a finite number");
        }
        return alpha;
    }
}
