package io.polder.study.search;

import io.polder.recipe.Recipe;
import java.util.Objects;

/**
 * A setting in which the methods are compared: rows of the table that belong together.
 *
 * @param name empty if it is the study's only one
 * @param paper which published result stands beside: {@code dataset/model/augmentation} of paper-results.csv; empty: none
 * @param base what every trial of it starts from
 */
public record Variant(String name, String paper, Recipe base) {
    public Variant {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(paper, "paper");
        Objects.requireNonNull(base, "base");
    }
}
