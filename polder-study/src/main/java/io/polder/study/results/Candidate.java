package io.polder.study.results;

import io.polder.study.trial.TrialOutcome;
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

    /** The mean error over the seeds, what the stage chooses by; NaN while one is missing, infinite if one diverged or failed. */
    public double error() {
        if (!isComplete()) {
            return Double.NaN;
        }
        return outcomes.stream()
                .mapToDouble(outcome -> outcome.isDone() ? outcome.lastError() : Double.POSITIVE_INFINITY)
                .average()
                .orElse(Double.NaN);
    }
}
