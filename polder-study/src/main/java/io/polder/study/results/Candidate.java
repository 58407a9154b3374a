package io.polder.study.results;

import io.polder.study.trial.TrialOutcome;
import io.polder.train.Figure;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One choice that a stage of a search had.
 *
 * @param settings what sets it apart, by paths of the recipe: {@code scheme.r → 0.05}
 * @param seeds how many trials it takes
 * @param outcomes those that are there, on the validation split, in the order of their seeds
 * @param chosen whether the stage chose it; false for all while the stage goes on
 */
public record Candidate(Map<String, String> settings, int seeds, List<TrialOutcome> outcomes, boolean chosen) {
    public Candidate {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        outcomes = List.copyOf(outcomes);
        for (TrialOutcome outcome : outcomes) {
            if (!outcome.evaluatedOn().equals(TrialOutcome.VALIDATION)) {
                throw new IllegalArgumentException("a candidate was evaluated on the " + outcome.evaluatedOn()
                        + " images: searches must choose on the validation split");
            }
        }
    }

    public boolean isComplete() {
        return outcomes.size() == seeds;
    }

    /** By which its outcomes are judged. */
    public Figure judge() {
        return TrialOutcome.figures(outcomes).judge();
    }

    /** Whether a trial diverged or failed, so that there is no mean to choose it by. */
    public boolean isLost() {
        return !outcomes.stream().allMatch(TrialOutcome::isDone);
    }

    /** The mean over the seeds of the figure that judges; NaN while one is missing, or if it is lost. */
    public double mean() {
        return isComplete() && !isLost()
                ? outcomes.stream().mapToDouble(TrialOutcome::last).average().orElse(Double.NaN)
                : Double.NaN;
    }
}
