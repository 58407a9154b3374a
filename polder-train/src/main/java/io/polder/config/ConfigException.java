package io.polder.config;

import java.util.ArrayList;
import java.util.List;

/** A file with mistakes: all of them, one a line. */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** More help nobody, and a hostile file could have a million. */
    static final int MOST = 100;

    private final transient List<String> mistakes;

    public ConfigException(List<String> mistakes) {
        super(String.join("\n", shortened(mistakes)));
        this.mistakes = shortened(mistakes);
    }

    /** Each as {@code file:line: path: what is wrong; what was expected; did you mean …?} */
    public List<String> mistakes() {
        return mistakes;
    }

    private static List<String> shortened(List<String> mistakes) {
        if (mistakes.size() <= MOST) {
            return List.copyOf(mistakes);
        }
        List<String> first = new ArrayList<>(mistakes.subList(0, MOST));
        first.add("and " + (mistakes.size() - MOST) + " more mistakes");
        return List.copyOf(first);
    }
}
