package io.polder.study.search;

import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.TrialOutcome;
import io.polder.train.Classification;
import io.polder.train.Figures;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Outcomes that nobody trained for: errors from a function of the recipe. */
final class Objective implements Outcomes {
    private final Map<String, TrialOutcome> found = new HashMap<>();
    private final ToDoubleFunction<Recipe> judged;
    private final Figures task;

    /** @param error NaN: it diverges */
    Objective(ToDoubleFunction<Recipe> error) {
        this(null, error);
    }

    /** @param judged the figure of a task that judges; NaN: it diverges */
    Objective(Figures task, ToDoubleFunction<Recipe> judged) {
        this.task = task;
        this.judged = judged;
    }

    @Override
    public Optional<TrialOutcome> of(String id) {
        return Optional.ofNullable(found.get(id));
    }

    void run(Trial trial) {
        found.put(trial.id(), outcome(task, trial, judged.applyAsDouble(trial.recipe())));
    }

    static TrialOutcome outcome(Trial trial, double error) {
        return outcome(null, trial, error);
    }

    private static TrialOutcome outcome(Figures task, Trial trial, double judged) {
        Recipe recipe = trial.recipe();
        boolean diverged = Double.isNaN(judged);
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
                task,
                TrialOutcome.numbers(task == null ? Classification.FIGURES : task, figure -> judged, judged),
                1,
                1,
                1,
                1,
                1,
                Instant.EPOCH,
                "nowhere",
                List.of(new EpochPoint(1, 1, Map.of("error", 0.5), 1, Map.of("error", 0.5), 1, 1, 0.1)));
    }
}
