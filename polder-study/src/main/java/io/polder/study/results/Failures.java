package io.polder.study.results;

import io.polder.study.trial.TrialOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Trials that failed, which is no result, other than those that diverged. */
public final class Failures {
    private static final int MOST_REASONS = 3;

    private Failures() {}

    public static boolean isOne(TrialOutcome outcome) {
        return outcome.status() == TrialOutcome.Status.FAILED;
    }

    public static List<TrialOutcome> of(StudyResult result) {
        return result.outcomes().stream().filter(Failures::isOne).toList();
    }

    /** Each reason once, with how many trials have it where there are several. */
    public static String reasons(List<TrialOutcome> failures) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        failures.forEach(failure -> counts.merge(reason(failure), 1, Integer::sum));
        if (counts.size() == 1) {
            return counts.keySet().iterator().next();
        }
        String told = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MOST_REASONS)
                .map(reason -> reason.getValue() + " times " + reason.getKey())
                .collect(Collectors.joining("; "));
        return counts.size() > MOST_REASONS ? told + "; and " + (counts.size() - MOST_REASONS) + " more reasons" : told;
    }

    /** The same for trials that failed alike: where a reason names the trial's own directory, the name is left out. */
    public static String reason(TrialOutcome failure) {
        return failure.reason().replace(failure.id(), "…");
    }
}
