package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.Values;

/** An exponential moving average of the weights, which evaluation then uses. */
public record WeightAverage(
        @Field(
                about = "The share of the old average that a step keeps; 0.999 looks back some thousand steps.",
                fallback = "0.999",
                min = 0,
                below = 1)
        double decay) {
    public WeightAverage {
        Values.checked(WeightAverage.class, decay);
    }
}
