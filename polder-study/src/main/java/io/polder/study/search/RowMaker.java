package io.polder.study.search;

import io.polder.recipe.EvaluateOn;
import io.polder.study.results.ResultRow;
import io.polder.study.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The trials of one row of the table, and the row. */
final class RowMaker {
    private final Variant variant;
    private final TrainingMethod method;
    private final Map<String, String> settings;
    private final int seeds;
    private final List<Trial> trials;

    /** @param settings empty while the search goes on: then no trials are wanted yet */
    RowMaker(
            Study study,
            TrialRecipes recipes,
            Variant variant,
            TrainingMethod method,
            Optional<Map<String, String>> settings) {
        this.variant = variant;
        this.method = method;
        this.settings = settings.orElse(Map.of());
        this.seeds = study.seeds();
        long first = variant.base().seed();
        this.trials = settings.isEmpty()
                ? List.of()
                : IntStream.range(0, seeds)
                        .mapToObj(i -> recipes.trial(variant, method, settings.get(), first + i, EvaluateOn.TEST, 0))
                        .toList();
    }

    Optional<Trial> trial(int seed) {
        return trials.isEmpty() ? Optional.empty() : Optional.of(trials.get(seed));
    }

    ResultRow row(Outcomes outcomes) {
        var found = new ArrayList<TrialOutcome>();
        trials.forEach(trial -> Planner.onTest(outcomes, trial).ifPresent(found::add));
        Map<String, String> shown = trials.isEmpty() ? settings : TrialRecipes.shown(trials.get(0), settings);
        return new ResultRow(variant.name(), method.text(), method.label(), shown, variant.paper(), seeds, found);
    }
}
