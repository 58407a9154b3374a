package io.polder.study.search;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A stage of a search: candidates of which the best are to be found.
 *
 * @param title what is sought, for readers
 * @param entry for which of the study's methods. All candidates have its settings, as far as {@code trainedBy} has them
 * @param trainedBy what its trials are trained by: the entry's own method, or a simpler one on which that builds
 * @param candidates by paths of the recipe
 * @param epochs 0: as the base has it
 */
record Stage(
        Variant variant,
        String title,
        StudyMethod entry,
        TrainingMethod trainedBy,
        List<Map<String, String>> candidates,
        int epochs) {
    Stage {
        Objects.requireNonNull(variant, "variant");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(entry, "entry");
        Objects.requireNonNull(trainedBy, "trainedBy");
        candidates = List.copyOf(candidates);
    }

    /** Of the entry's own method, for the epochs of the base. */
    static Stage of(Variant variant, String title, StudyMethod entry, List<Map<String, String>> candidates) {
        return new Stage(variant, title, entry, entry.method(), candidates, 0);
    }
}
