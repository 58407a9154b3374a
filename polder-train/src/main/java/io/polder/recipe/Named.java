package io.polder.recipe;

import java.util.Locale;

/** An enum whose constants recipes write in lower case and with hyphens. */
public interface Named {
    String name();

    /** As a recipe has it: {@code fashion-mnist-2000}. */
    default String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
