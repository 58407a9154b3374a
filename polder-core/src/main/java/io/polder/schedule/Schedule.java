package io.polder.schedule;

/**
 * A number that depends on the step: a learning rate, the penalty's r or α, the probability of a hybrid step.
 *
 * <p>A pure function: the caller owns the counter, steps count from 0, and the same step always gives the same number, so a
 * resumed run needs no state. Schedules compose: {@code cosine(0.1, 4000).times(linearWarmup(200))}.
 */
@FunctionalInterface
public interface Schedule {
    double at(long step);

    static Schedule constant(double value) {
        requireFinite("value", value);
        return new Schedule() {
            @Override
            public double at(long step) {
                return value;
            }

            @Override
            public String toString() {
                return Double.toString(value);
            }
        };
    }

    /** Half a cosine from {@code base} at step 0 down to 0 at step {@code steps}, and 0 from there on. */
    static Schedule cosine(double base, long steps) {
        requireFinite("base", base);
        requirePositive("steps", steps);
        return step -> step >= steps ? 0 : base * 0.5 * (1 + Math.cos(Math.PI * step / steps));
    }

    /** Half a cosine from {@code from} at step 0 to {@code to} at step {@code steps}, and that from there on. */
    static Schedule cosine(double from, double to, long steps) {
        requireFinite("from", from);
        requireFinite("to", to);
        requirePositive("steps", steps);
        return step -> step >= steps ? to : from + (to - from) * 0.5 * (1 - Math.cos(Math.PI * step / steps));
    }

    /** Evenly from {@code from} at step 0 to {@code to} at step {@code steps}, and that from there on. */
    static Schedule linear(double from, double to, long steps) {
        requireFinite("from", from);
        requireFinite("to", to);
        requirePositive("steps", steps);
        return step -> step >= steps ? to : from + (to - from) * step / steps;
    }

    /** {@code base · factor^(step / every)}, falling smoothly. */
    static Schedule exponential(double base, double factor, long every) {
        requireFinite("base", base);
        requireFactor(factor);
        requirePositive("every", every);
        return step -> base * Math.pow(factor, (double) step / every);
    }

    /** {@code base}, multiplied by {@code factor} after each {@code every} steps: stairs. */
    static Schedule stairs(double base, double factor, long every) {
        requireFinite("base", base);
        requireFactor(factor);
        requirePositive("every", every);
        return step -> base * Math.pow(factor, Math.floorDiv(step, every));
    }

    /** {@code min(1, step / steps)}: 0 at the first step, 1 from step {@code steps} on. To be multiplied with another. */
    static Schedule linearWarmup(long steps) {
        if (steps < 0) {
            throw new IllegalArgumentException("warm-up steps is " + steps + ": it must be at least 0");
        }
        return step -> step >= steps ? 1 : (double) step / steps;
    }

    /** The product of two schedules at each step. */
    default Schedule times(Schedule factor) {
        return step -> at(step) * factor.at(step);
    }

    /** This schedule for the first {@code steps} steps, then {@code next}, which counts its own steps from 0. */
    default Schedule then(long steps, Schedule next) {
        if (steps < 0) {
            throw new IllegalArgumentException("steps is " + steps + ": it must be at least 0");
        }
        return step -> step < steps ? at(step) : next.at(step - steps);
    }

    private static void requireFinite(String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a finite number");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be at least 1");
        }
    }

    private static void requireFactor(double factor) {
        if (!(factor > 0 && factor <= 1)) {
            throw new IllegalArgumentException("factor is " + factor + ": it must be above 0 and at most 1");
        }
    }
}
