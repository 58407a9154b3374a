package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class SymmetricBetaTest {
    private static final int DRAWS = 50_000;

    /** The mean of the largest gap is 0.87/√n; 1.95/√n is exceeded once in a thousand seeds. */
    private static final double LARGEST_GAP = 1.95 / Math.sqrt(DRAWS);

    @Test
    void alphaOneIsUniform() {
        assertThat(largestGap(1, x -> x)).isLessThan(LARGEST_GAP);
    }

    @Test
    void alphaOneHalfIsTheArcsineLawAndAlphaTwoAParabola() {
        assertThat(largestGap(0.5, x -> 2 / Math.PI * Math.asin(Math.sqrt(x)))).isLessThan(LARGEST_GAP);
        assertThat(largestGap(2, x -> x * x * (3 - 2 * x))).isLessThan(LARGEST_GAP);
        assertThat(largestGap(1, x -> x * x * (3 - 2 * x)))
                .as("the check can fail")
                .isGreaterThan(0.05);
    }

    @Test
    void momentsAreThoseOfTheDistribution() {
        for (double alpha : new double[] {0.05, 0.2, 0.5, 1, 1.5, 8, 100}) {
            double[] x = draws(alpha);
            double variance = 1 / (4 * (2 * alpha + 1));
            double fourth = variance * variance * 3 * (2 * alpha + 1) / (2 * alpha + 3);
            // Five standard errors.
            double tolerance = 5 * Math.sqrt(variance / DRAWS);
            assertThat(DoubleStream.of(x).average().orElseThrow()).isCloseTo(0.5, within(tolerance));
            double errorOfVariance = Math.sqrt((fourth - variance * variance) / DRAWS);
            assertThat(moment(x, 2)).as("variance of %s", alpha).isCloseTo(variance, within(5 * errorOfVariance));
            assertThat(moment(x, 4)).as("fourth moment of %s", alpha).isCloseTo(fourth, within(0.05 * fourth));
        }
    }

    @Test
    void extremeAlphasStayWithinZeroAndOne() {
        for (double alpha : new double[] {Double.MIN_VALUE, 1e-9, 1e9, Double.MAX_VALUE}) {
            assertThat(DoubleStream.of(draws(alpha)).limit(1000).boxed()).allMatch(x -> x >= 0 && x <= 1);
        }
    }

    @Test
    void alphaThatIsNotPositiveAndFiniteIsRefused() {
        for (double alpha : new double[] {-1, 0, Double.NaN, Double.POSITIVE_INFINITY}) {
            String message = "alpha is " + alpha + ": it must be a finite number above 0";
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new CutMix(alpha))
                    .withMessage(message);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Mixup(alpha))
                    .withMessage(message);
        }
    }

    /** Kolmogorov's and Smirnov's distance between the draws and a distribution function. */
    private static double largestGap(double alpha, DoubleUnaryOperator distribution) {
        double[] x = draws(alpha);
        Arrays.sort(x);
        double largest = 0;
        for (int i = 0; i < x.length; i++) {
            double expected = distribution.applyAsDouble(x[i]);
            largest = Math.max(largest, Math.max(expected - (double) i / DRAWS, (i + 1.0) / DRAWS - expected));
        }
        return largest;
    }

    private static double moment(double[] x, int power) {
        return DoubleStream.of(x)
                .map(value -> Math.pow(value - 0.5, power))
                .average()
                .orElseThrow();
    }

    private static double[] draws(double alpha) {
        var random = new SplittableRandom(7);
        var beta = new SymmetricBeta(alpha);
        return DoubleStream.generate(() -> beta.draw(random)).limit(DRAWS).toArray();
    }
}
