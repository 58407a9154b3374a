package io.polder.recipe;

import java.util.List;

/** A recipe with mistakes: all of them, one a line. */
public final class RecipeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    /** More help nobody, and a hostile file could have a million. */
    private static final int MOST = 100;

    private final transient List<String> mistakes;

    RecipeException(List<String> mistakes) {
        super(message(mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Each as {@code file:line: path: what is wrong; what was expected; did you mean …?} */
    public List<String> mistakes() {
        return mistakes;
    }

    private static String message(List<String> mistakes) {
        return mistakes.size() <= MOST
                ? String.join("\n", mistakes)
                : String.join("\n", mistakes.subList(0, MOST)) + "\nand " + (mistakes.size() - MOST) + " more mistakes";
    }
}
