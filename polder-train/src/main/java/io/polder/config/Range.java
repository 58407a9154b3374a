package io.polder.config;

import java.util.ArrayList;
import java.util.List;

/** The numbers that a {@link Field} may hold. */
record Range(double min, double above, double max, double below) {
    static Range of(Field field) {
        return new Range(field.min(), field.above(), field.max(), field.below());
    }

    boolean contains(double value) {
        return Double.isFinite(value) && value >= min && value > above && value <= max && value < below;
    }

    /** To follow "a number": {@code " above 0 and at most 1"}; empty if all numbers are in it. */
    String words() {
        List<String> bounds = new ArrayList<>();
        if (min != Double.NEGATIVE_INFINITY) {
            bounds.add("of at least " + plain(min));
        }
        if (above != Double.NEGATIVE_INFINITY) {
            bounds.add("above " + plain(above));
        }
        if (max != Double.POSITIVE_INFINITY) {
            bounds.add((bounds.isEmpty() ? "of at most " : "at most ") + plain(max));
        }
        if (below != Double.POSITIVE_INFINITY) {
            bounds.add("below " + plain(below));
        }
        return bounds.isEmpty() ? "" : " " + String.join(" and ", bounds);
    }

    private static String plain(double bound) {
        return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
}
