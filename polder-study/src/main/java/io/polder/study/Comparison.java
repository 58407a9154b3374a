package io.polder.study;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Methods trained on the same seeds, with all that is needed to judge the outcome and to run it again. The first method
 * is the baseline. Every method has one trial for every seed, since the statistics pair trials by seed.
 */
public record Comparison(
        String title,
        String command,
        String version,
        Instant started,
        double seconds,
        List<Method> methods,
        List<TrialRecord> trials,
        Map<String, String> settings,
        Map<String, String> environment) {

    public Comparison {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(command, "command");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(started, "started");
        methods = List.copyOf(methods);
        trials = List.copyOf(trials);
        settings = inOrder(settings);
        environment = inOrder(environment);
        if (methods.isEmpty() || trials.isEmpty()) {
            throw new IllegalArgumentException("a comparison needs at least one method and one trial");
        }
        requireEveryMethodOnEverySeed(methods, trials);
    }

    /** In ascending order. */
    public List<Integer> seeds() {
        return trialsOf(methods.get(0)).stream().map(TrialRecord::seed).toList();
    }

    /** One for every seed, in the order of {@link #seeds()}. */
    public List<TrialRecord> trialsOf(Method method) {
        return trials.stream()
                .filter(trial -> trial.method().equals(method.name()))
                .sorted(Comparator.comparingInt(TrialRecord::seed))
                .toList();
    }

    private static void requireEveryMethodOnEverySeed(List<Method> methods, List<TrialRecord> trials) {
        Set<String> names = methods.stream().map(Method::name).collect(Collectors.toSet());
        Set<Integer> seeds = trials.stream().map(TrialRecord::seed).collect(Collectors.toSet());
        Set<List<Object>> pairs =
                trials.stream().map(t -> List.<Object>of(t.method(), t.seed())).collect(Collectors.toSet());
        if (names.size() < methods.size()) {
            throw new IllegalArgumentException("two methods share a name: " + methods);
        }
        for (TrialRecord trial : trials) {
            if (!names.contains(trial.method())) {
                throw new IllegalArgumentException("a trial names '" + trial.method() + "', not one of " + names);
            }
        }
        // All names are known here, so the counts agree only if each method meets each seed exactly once.
        if (pairs.size() < trials.size() || pairs.size() < names.size() * seeds.size()) {
            throw new IllegalArgumentException(
                    "every method needs one trial for each of the seeds " + seeds + ", but the trials are " + pairs);
        }
    }

    /** Unlike {@code Map.copyOf}, keeps the order in which the settings were given. */
    private static Map<String, String> inOrder(Map<String, String> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
