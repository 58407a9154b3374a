package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.Named;
import io.polder.config.Values;

/** A gentle start of the penalty; see {@code io.polder.penalty.Coefficients}. */
public record Warmup(
        @Field(
                about =
                        "What grows from 0 to its value: r, lambda, or zero for none of it before the end of the warm-up.")
        Quantity of,

        @Field(about = "For how long.", above = 0) double epochs) {
    /** What is held back. */
    public enum Quantity implements Named {
        R,
        LAMBDA,
        /** Standard training until the warm-up is over. */
        ZERO
    }

    public Warmup {
        Values.checked(Warmup.class, of, epochs);
    }

    /** To the nearest step, at least one. */
    public long steps(long stepsPerEpoch) {
        return Epochs.steps(epochs, stepsPerEpoch, 0);
    }
}
