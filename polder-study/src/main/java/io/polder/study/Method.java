package io.polder.study;

import java.util.Locale;
import java.util.Objects;

/**
 * A training method as the report shows it: the name trials refer to it by, a label for readers, and its own settings in
 * words, such as {@code r = 0.4, α = 0.6}; empty when it has none.
 */
public record Method(String name, String label, String settings) {
    public Method {
        if (name.isBlank() || label.isBlank()) {
            throw new IllegalArgumentException("name '" + name + "' and label '" + label + "' must not be blank");
        }
        Objects.requireNonNull(settings, "settings");
    }

    /** The label inside a sentence: "standard training", but still "SAM". */
    String inSentence() {
        boolean plainWord = label.length() > 1 && Character.isLowerCase(label.charAt(1));
        return plainWord ? label.substring(0, 1).toLowerCase(Locale.ROOT) + label.substring(1) : label;
    }
}
