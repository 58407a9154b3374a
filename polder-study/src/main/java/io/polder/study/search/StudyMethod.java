package io.polder.study.search;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A method that takes part in a study.
 *
 * @param settings its own overrides of the base recipe, by paths
 * @param sweep of a study without a search: values by paths, each combination of which is a row of its own
 */
public record StudyMethod(TrainingMethod method, Map<String, String> settings, Map<String, List<String>> sweep) {
    public StudyMethod {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        sweep = Collections.unmodifiableMap(new LinkedHashMap<>(sweep));
    }

    static StudyMethod plain(TrainingMethod method) {
        return new StudyMethod(method, Map.of(), Map.of());
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
