package io.polder.study.search;

import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.TrialOutcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Outcomes that nobody trained for: errors from a function of the recipe. */
final class Objective implements Outcomes {
    private final Map<String, TrialOutcome> found = new HashMap<>();
    private final ToDoubleFunction<Recipe> error;

    /** @param error NaN: it diverges */
    Objective(ToDoubleFunction<Recipe> error) {
        this.error = error;
    }

    @Override
    public Optional<TrialOutcome> of(String id) {
        return Optional.ofNullable(found.get(id));
    }

    void run(Trial trial) {
        found.put(trial.id(), outcome(trial, error.applyAsDouble(trial.recipe())));
    }

    static TrialOutcome outcome(Trial trial, double error) {
        Recipe recipe = trial.recipe();
        boolean diverged = Double.isNaN(error);
        return new TrialOutcome(
                trial.id(),
                recipe.toYaml(),
                recipe.name(),
                recipe.scheme() instanceof SchemeRecipe.Standard ? "standard" : "other",
                recipe.seed(),
                diverged ? TrialOutcome.Status.DIVERGED : TrialOutcome.Status.DONE,
                diverged ? "it diverged" : "",
                recipe.data().evaluateOn().text(),
                recipe.epochs(),
                error,
                error,
                1,
                0,
                1,
                1,
                1,
                1,
                1,
                Instant.EPOCH,
                "nowhere",
                List.of(new EpochPoint(1, 1, 0.5, 1, 0.5, 1, 1, 0.1)));
    }
}
