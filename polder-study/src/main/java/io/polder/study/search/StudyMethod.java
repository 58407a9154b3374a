package io.polder.study.search;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A method that takes part in a study.
 *
 * @param title what tables call it, instead of its method and its settings; empty: nothing
 * @param settings its own overrides of the base recipe, by paths
 * @param sweep of a study without a search: values by paths, each combination of which is a row of its own
 */
public record StudyMethod(
        TrainingMethod method, String title, Map<String, String> settings, Map<String, List<String>> sweep) {
    private static final Pattern SCHEME = Pattern.compile("scheme(\\.|$)");

    /** What SAM, which is the penalty at α = 1, does not have. */
    private static final Pattern OF_THE_PENALTY_ALONE = Pattern.compile("scheme\\.(alpha|lambda|mix)(\\.|$)");

    public StudyMethod {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        sweep = Collections.unmodifiableMap(new LinkedHashMap<>(sweep));
    }

    static StudyMethod plain(TrainingMethod method) {
        return new StudyMethod(method, "", Map.of(), Map.of());
    }

    boolean isTitled() {
        return !title.isEmpty();
    }

    /** For readers. */
    String label() {
        return isTitled() ? title : method.label();
    }

    /** Those of its settings that are said of another method too, when it stands for this one: standard training has no scheme to set. */
    Map<String, String> settingsOf(TrainingMethod other) {
        if (other == method) {
            return settings;
        }
        Map<String, String> shared = new LinkedHashMap<>(settings);
        shared.keySet()
                .removeIf(path -> other == TrainingMethod.STANDARD
                        ? SCHEME.matcher(path).lookingAt()
                        : OF_THE_PENALTY_ALONE.matcher(path).lookingAt());
        return Collections.unmodifiableMap(shared);
    }

    /** One for each row. */
    List<Map<String, String>> rows() {
        return SearchSettings.combinations(sweep).stream()
                .map(combination -> {
                    Map<String, String> all = new LinkedHashMap<>(settings);
                    all.putAll(combination);
                    return Collections.unmodifiableMap(all);
                })
                .toList();
    }
}
