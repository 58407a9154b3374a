package io.polder.bench;

import java.util.Arrays;

/** Of an even number of values the higher of the two in the middle. */
final class Median {
    private Median() {}

    static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
