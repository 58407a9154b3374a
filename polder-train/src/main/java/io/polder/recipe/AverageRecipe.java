package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.Values;

/** An exponential moving average of the weights, which evaluation then uses. */
public record AverageRecipe(
        @Field(
                about = "The share of the old average that a step keeps; 0.999 looks back some thousand steps.",
                fallback = "0.999",
                min = 0,
                below = 1)
        double decay) {
    public AverageRecipe {
        Values.checked(AverageRecipe.class, decay);
    }
}
