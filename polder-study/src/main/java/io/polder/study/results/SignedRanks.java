package io.polder.study.results;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Wilcoxon's signed-rank test, which unlike the t-test does not suppose that differences are normally distributed: the two-sided
 * p-value of the hypothesis that they lie symmetrically around zero. Differences of zero are left out, equal ones share their ranks.
 * Exact up to 50 differences, by counting the sign patterns; from then on by the normal approximation.
 */
final class SignedRanks {
    /** The least number of pairs from which p can fall below 5 %: of five the least is 2/2⁵, 6 %. */
    static final int LEAST_PAIRS = 6;

    private static final int MOST_EXACT = 50;

    /** Errors are counts over thousands of images: differences of differences below this are rounding. */
    private static final double ROUNDING = 1e-12;

    private SignedRanks() {}

    static double p(double[] a, double[] b) {
        double[] differences = IntStream.range(0, a.length)
                .mapToDouble(i -> a[i] - b[i])
                .filter(difference -> Math.abs(difference) > ROUNDING)
                .toArray();
        if (differences.length == 0) {
            return 1;
        }
        long[] ranks = doubledRanks(differences);
        long total = Arrays.stream(ranks).sum();
        long positive = IntStream.range(0, ranks.length)
                .filter(i -> differences[i] > 0)
                .mapToLong(i -> ranks[i])
                .sum();
        long lesser = Math.min(positive, total - positive);
        return ranks.length <= MOST_EXACT ? exact(ranks, lesser) : approximate(ranks, lesser - total / 2.0);
    }

    /** Twice the rank of each size, since shared ranks may be halves. */
    private static long[] doubledRanks(double[] differences) {
        double[] sizes = Arrays.stream(differences).map(Math::abs).toArray();
        long[] ranks = new long[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            double size = sizes[i];
            long below = Arrays.stream(sizes).filter(s -> s < size - ROUNDING).count();
            long equal = Arrays.stream(sizes)
                    .filter(s -> Math.abs(s - size) <= ROUNDING)
                    .count();
            ranks[i] = 2 * below + equal + 1;
        }
        return ranks;
    }

    /** The share of sign patterns whose positive ranks sum to no more than what was met, twice for two sides. */
    private static double exact(long[] ranks, long lesser) {
        double[] patterns = new double[(int) Arrays.stream(ranks).sum() + 1];
        patterns[0] = 1;
        for (long rank : ranks) {
            for (int sum = patterns.length - 1; sum >= rank; sum--) {
                patterns[sum] += patterns[(int) (sum - rank)];
            }
        }
        double tail = Arrays.stream(patterns, 0, (int) lesser + 1).sum();
        return Math.min(1, 2 * tail / Math.pow(2, ranks.length));
    }

    /** The sum of signed ranks has the variance Σ rank²; ties are in the ranks already. */
    private static double approximate(long[] ranks, double distance) {
        double variance = Arrays.stream(ranks)
                .mapToDouble(rank -> rank * (double) rank / 4)
                .sum();
        return 2 * new NormalDistribution().cumulativeProbability(-Math.abs(distance) / Math.sqrt(variance));
    }
}
