package io.polder.config;

import java.util.List;

/** The names that a text of a {@link Field} must be one of. Implementations have a constructor without arguments. */
public interface Names {
    /** In the order of the documentation. */
    List<String> names();
}
