package io.polder.study.search;

import java.util.List;

/** A study file with mistakes: all of them, one a line. */
public final class StudyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<String> mistakes;

    StudyException(List<String> mistakes) {
        super(String.join("\n", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Each as {@code file:line: path: what is wrong; what was expected} */
    public List<String> mistakes() {
        return mistakes;
    }
}
