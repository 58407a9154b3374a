package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.train.Task;

/** What a network is to learn; see {@link Task}. Plug-ins add to it. */
@ByName(
        value = "name",
        known = {TaskRecipe.Classification.class, TaskRecipe.MultiLabel.class})
public interface TaskRecipe {
    /** @param recipe of the whole run */
    Task task(Recipe recipe);

    @Called(value = "classification", about = "Which one of several classes an image is of.")
    record Classification() implements TaskRecipe {
        @Override
        public Task task(Recipe recipe) {
            return recipe.loss() == null
                    ? new io.polder.train.Classification(recipe.labelSmoothing())
                    : new io.polder.train.Classification(recipe.loss().ofOneClass(recipe.labelSmoothing()));
        }
    }

    @Called(value = "multi-label", about = "Which of several labels an image has, any number of them.")
    record MultiLabel() implements TaskRecipe {
        @Override
        public Task task(Recipe recipe) {
            return recipe.loss() == null
                    ? new io.polder.train.MultiLabel(recipe.labelSmoothing())
                    : new io.polder.train.MultiLabel(recipe.loss().ofLabels(recipe.labelSmoothing()));
        }
    }
}
