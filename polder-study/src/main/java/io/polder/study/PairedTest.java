package io.polder.study;

import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Student's paired t-test: are the differences {@code a[i] - b[i]} centred on zero? Holds their mean, its 95 % interval
 * and the two-sided p-value. Where the noise cannot be estimated, from one pair, from differences that are all the same
 * or from missing values, the interval is the whole line and p is 1, so that nothing can be concluded by accident.
 */
public record PairedTest(int pairs, double meanDifference, double low, double high, double p) {
    private static final double CONFIDENCE = 0.95;

    /** Test errors are counts over thousands of images: a mean or a spread below this is zero but for rounding. */
    private static final double ROUNDING = 1e-12;

    public static PairedTest of(double[] a, double[] b) {
        if (a.length != b.length || a.length == 0) {
            throw new IllegalArgumentException(a.length + " values cannot be paired with " + b.length);
        }
        double[] differences =
                IntStream.range(0, a.length).mapToDouble(i -> a[i] - b[i]).toArray();
        int pairs = differences.length;
        double mean = snapped(StatUtils.mean(differences));
        double standardError = Math.sqrt(StatUtils.variance(differences) / pairs);
        if (!(standardError > ROUNDING)) {
            return new PairedTest(pairs, mean, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1);
        }
        TDistribution student = new TDistribution(pairs - 1);
        double margin = student.inverseCumulativeProbability((1 + CONFIDENCE) / 2) * standardError;
        double p = 2 * student.cumulativeProbability(-Math.abs(mean) / standardError);
        return new PairedTest(pairs, mean, mean - margin, mean + margin, p);
    }

    public boolean measuresNoise() {
        return Double.isFinite(low);
    }

    public boolean excludesZero() {
        return low > 0 || high < 0;
    }

    private static double snapped(double mean) {
        return Math.abs(mean) < ROUNDING ? 0 : mean;
    }
}
