package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Field;
import io.polder.config.Values;

/** What happens when the loss is no longer finite, or the gradient norm far beyond its own history. */
@ByName("action")
public record DivergenceRecipe(
        @Field(
                about =
                        "stop: end with an error; restore: go back to the last checkpoint and on with a smaller learning rate.",
                fallback = "stop")
        Action action,

        @Field(
                about = "How many times its usual value the gradient norm must be; ordinary spikes stay far below 100.",
                fallback = "100.0",
                above = 1)
        double normFactor,

        @Field(
                about = "How often restore may go back before the run ends all the same.",
                fallback = "3",
                min = 1,
                max = 1000)
        int restarts,

        @Field(about = "What restore multiplies the learning rate by.", fallback = "0.5", above = 0, max = 1)
        double learningRateFactor) {
    /** What to do. */
    public enum Action {
        STOP,
        RESTORE
    }

    public DivergenceRecipe {
        Values.checked(DivergenceRecipe.class, action, normFactor, restarts, learningRateFactor);
    }
}
