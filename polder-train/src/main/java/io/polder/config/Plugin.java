package io.polder.config;

import java.util.List;

/**
 * What a plug-in jar adds to the names of recipes. It is found by {@link java.util.ServiceLoader}: the jar has a file {@code
 * META-INF/services/io.polder.config.Plugin} with the name of a class that implements this.
 */
public interface Plugin {
    /**
     * Each is {@link Called} by its name, has a {@link Field} on each component, and implements what it is one of, such as {@code
     * io.polder.recipe.SchemeRecipe}.
     */
    List<Class<? extends Record>> records();
}
