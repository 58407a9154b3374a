package io.polder.study.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One stage of a search and how it came out.
 *
 * @param variant the name of the variant it belongs to; empty in a study without variants
 * @param title what is sought: {@code stage 2: α = 1, r}
 * @param given settings that all candidates have, by paths of the recipe: those of one of several entries of a method, say
 * @param candidates in the order of the study file. Several of them are chosen by a rung of successive halving, else one
 */
public record SearchStage(String variant, String title, Map<String, String> given, List<Candidate> candidates) {
    public SearchStage {
        Objects.requireNonNull(variant, "variant");
        Objects.requireNonNull(title, "title");
        given = Collections.unmodifiableMap(new LinkedHashMap<>(given));
        candidates = List.copyOf(candidates);
    }

    /** The title and what is given, which tells stages of the same title apart: {@code stage 3: α with scheme.mix = direction}. */
    public String heading() {
        return given.isEmpty() ? title : title + " with " + Settings.words(given);
    }

    /** The heading, with the variant where there are several. */
    public String inVariant() {
        return variant.isEmpty() ? heading() : variant + ", " + heading();
    }

    /** The first of those chosen; empty while the stage goes on. When every candidate failed it is the first of them. */
    public Optional<Candidate> chosen() {
        return candidates.stream().filter(Candidate::chosen).findFirst();
    }

    public boolean isComplete() {
        return candidates.stream().allMatch(Candidate::isComplete);
    }
}
