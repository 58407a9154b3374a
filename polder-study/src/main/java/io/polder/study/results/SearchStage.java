package io.polder.study.results;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One stage of a search and how it came out.
 *
 * @param variant the name of the variant it belongs to; empty in a study without variants
 * @param title what is sought: {@code stage 2: α = 1, r}
 * @param candidates in the order of the study file. Several of them are chosen by a rung of successive halving, else one
 */
public record SearchStage(String variant, String title, List<Candidate> candidates) {
    public SearchStage {
        Objects.requireNonNull(variant, "variant");
        Objects.requireNonNull(title, "title");
        candidates = List.copyOf(candidates);
    }

    /** The first of those chosen; empty while the stage goes on. When every candidate failed it is the first of them. */
    public Optional<Candidate> chosen() {
        return candidates.stream().filter(Candidate::chosen).findFirst();
    }

    public boolean isComplete() {
        return candidates.stream().allMatch(Candidate::isComplete);
    }
}
