package io.polder.study.results;

import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.correlation.Covariance;

/**
 * How much greater the penalty's gain over standard training is than SAM's, as the paper states it: "0.65 = (1 + 71 %) × 0.38", with
 * the gains in points of error. {@code value} is the 0.71. Which way is better does not matter to a ratio of gains.
 *
 * <p>The interval is Fieller's (1954) at 95 %: all ratios ρ for which a paired t-test does not tell the gain from ρ times SAM's gain.
 * It exists only if SAM's gain is itself more than the noise: otherwise the ends are infinite, as a ratio to something that may be
 * zero can be anything.
 */
record RelativeGain(int seeds, double value, double low, double high) {
    private static final double CONFIDENCE = 0.95;
    private static final double ROUNDING = 1e-12;

    /** Values of the same seeds, in the same order. */
    static RelativeGain of(double[] standard, double[] sam, double[] penalty) {
        int seeds = standard.length;
        double[] gain = differences(standard, penalty);
        double[] base = differences(standard, sam);
        double meanGain = StatUtils.mean(gain);
        double meanBase = StatUtils.mean(base);
        double value = Math.abs(meanBase) < ROUNDING ? Double.NaN : meanGain / meanBase - 1;
        if (seeds < 2 || Double.isNaN(value)) {
            return new RelativeGain(seeds, value, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        double t = new TDistribution(seeds - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        double scale = t * t / seeds;
        // (meanGain − ρ meanBase)² = scale (var gain − 2 ρ cov + ρ² var base), as a ρ² − 2 b ρ + c = 0.
        double a = meanBase * meanBase - scale * StatUtils.variance(base);
        double b = meanGain * meanBase - scale * new Covariance().covariance(gain, base);
        double c = meanGain * meanGain - scale * StatUtils.variance(gain);
        if (a <= ROUNDING * meanBase * meanBase) {
            return new RelativeGain(seeds, value, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        double root = Math.sqrt(Math.max(0, b * b - a * c));
        return new RelativeGain(seeds, value, (b - root) / a - 1, (b + root) / a - 1);
    }

    boolean isBounded() {
        return Double.isFinite(low) && Double.isFinite(high);
    }

    private static double[] differences(double[] from, double[] to) {
        return IntStream.range(0, from.length).mapToDouble(i -> from[i] - to[i]).toArray();
    }
}
