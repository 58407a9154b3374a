package io.polder.sharpness;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a measure came to.
 *
 * @param figures numbers by name, in order
 * @param series rows of numbers by name: eigenvalues, a density
 */
public record Reading(Map<String, Double> figures, Map<String, List<Double>> series) {
    public Reading {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
    }

    static Reading of(Map<String, Double> figures) {
        return new Reading(figures, Map.of());
    }
}
