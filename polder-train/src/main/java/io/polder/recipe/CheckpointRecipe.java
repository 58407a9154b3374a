package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.Values;

/** When the run is saved. A result depends on it only if a run that diverges may go back. */
public record CheckpointRecipe(
        @Field(
                about = "After how many epochs; null: not by epochs.",
                fallback = "1",
                nullable = true,
                min = 1,
                determinesResult = false)
        Integer everyEpochs,

        @Field(
                about = "After how many steps; null: not by steps.",
                fallback = "null",
                min = 1,
                determinesResult = false)
        Long everySteps,

        @Field(
                about = "How many are kept besides the best; two, so that a damaged one has one before it.",
                fallback = "2",
                min = 1,
                determinesResult = false)
        int keep) {
    public CheckpointRecipe {
        Values.checked(CheckpointRecipe.class, everyEpochs, everySteps, keep);
    }
}
