package io.polder.recipe;

import java.util.List;

/** The recipes that come with Polder. */
public final class Recipes {
    private Recipes() {}

    /** In the order of the paper, the quick ones first. */
    public static List<String> names() {
        return List.of();
    }

    /** The whole YAML, with comments. */
    public static String text(String name) {
        throw new IllegalArgumentException("to come");
    }
}
