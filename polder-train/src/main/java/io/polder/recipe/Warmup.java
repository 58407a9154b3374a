package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.penalty.Coefficients;

/** A gentle start of the penalty; see {@code io.polder.penalty.Coefficients}. */
public record Warmup(
        @Field(
                about =
                        "What grows from 0 to its value: r, lambda, or zero for none of it before the end of the warm-up.")
        Quantity of,

        @Field(about = "For how long.", above = 0) double epochs) {
    /** What is held back. */
    public enum Quantity {
        R,
        LAMBDA,
        /** Standard training until the warm-up is over. */
        ZERO
    }

    public Warmup {
        Values.checked(Warmup.class, of, epochs);
    }

    /** To the nearest step, at least one. */
    long steps(long stepsPerEpoch) {
        return Epochs.steps(epochs, stepsPerEpoch, 0);
    }

    /** The coefficients with this start. */
    Coefficients of(Coefficients coefficients, long stepsPerEpoch) {
        long steps = steps(stepsPerEpoch);
        return switch (of) {
            case R -> coefficients.warmUpRadius(steps);
            case LAMBDA -> coefficients.warmUpLambda(steps);
            case ZERO -> coefficients.offFor(steps);
        };
    }
}
