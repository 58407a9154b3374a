package io.polder.study.search;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The methods that studies compare. */
public enum TrainingMethod {
    STANDARD("standard", "Standard"),
    SAM("sam", "SAM"),
    PENALTY("gradient-norm-penalty", "Gradient-norm penalty");

    private final String text;
    private final String label;

    TrainingMethod(String text, String label) {
        this.text = text;
        this.label = label;
    }

    /** As study files and recipes have it. */
    public String text() {
        return text;
    }

    /** For readers. */
    public String label() {
        return label;
    }

    static Optional<TrainingMethod> of(String text) {
        return Arrays.stream(values())
                .filter(method -> method.text.equals(text))
                .findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(TrainingMethod::text).toList();
    }
}
