package io.polder.config;

import java.util.Locale;

/** An enum whose constants are written in lower case and with hyphens. */
public interface Named {
    String name();

    /** As a file has it: {@code fashion-mnist-2000}. */
    default String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
