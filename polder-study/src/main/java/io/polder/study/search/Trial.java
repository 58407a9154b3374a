package io.polder.study.search;

import io.polder.recipe.Recipe;
import java.util.Objects;

/**
 * One training run that a study wants.
 *
 * @param id what names it: {@link io.polder.study.trial.TrialIds}
 * @param label for readers, without the seed
 */
public record Trial(String id, String label, TrainingMethod method, Recipe recipe) {
    public Trial {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(recipe, "recipe");
    }
}
