package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PairedTestTest {
    /**
     * Differences −0.012, −0.010, −0.012: mean −0.034/3, standard error 0.002/3, so t = −17. With two degrees of freedom
     * the t distribution is elementary: p = 1 − |t| / √(2 + t²), and the 97.5 % point is 0.95 √(2 / (1 − 0.95²)).
     */
    @Test
    void threePairsAgreeWithTheHandCalculation() {
        PairedTest test = PairedTest.of(new double[] {0.168, 0.160, 0.163}, new double[] {0.180, 0.170, 0.175});
        double margin = 0.95 * Math.sqrt(2 / (1 - 0.95 * 0.95)) * 0.002 / 3;
        assertThat(test.pairs()).isEqualTo(3);
        assertThat(test.meanDifference()).isCloseTo(-0.034 / 3, within(1e-12));
        assertThat(test.low()).isCloseTo(-0.034 / 3 - margin, within(1e-9));
        assertThat(test.high()).isCloseTo(-0.034 / 3 + margin, within(1e-9));
        assertThat(test.p()).isCloseTo(1 - 17 / Math.sqrt(291), within(1e-9));
        assertThat(test.excludesZero()).isTrue();
    }

    /** Hours of sleep gained under two drugs, from Student's paper of 1908; the expected values are those R prints. */
    @Test
    void studentsSleepDataAgreeWithR() {
        double[] first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
        double[] second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
        PairedTest test = PairedTest.of(first, second);
        assertThat(test.meanDifference()).isCloseTo(-1.58, within(1e-12));
        assertThat(test.low()).isCloseTo(-2.4598858, within(5e-8));
        assertThat(test.high()).isCloseTo(-0.7001142, within(5e-8));
        assertThat(test.p()).isCloseTo(0.002833, within(5e-7));
    }

    @Test
    void swappingTheMethodsMirrorsTheInterval() {
        double[] a = {0.16, 0.18, 0.17};
        double[] b = {0.17, 0.17, 0.19};
        PairedTest there = PairedTest.of(a, b);
        PairedTest back = PairedTest.of(b, a);
        assertThat(back.meanDifference()).isEqualTo(-there.meanDifference());
        assertThat(back.low()).isEqualTo(-there.high());
        assertThat(back.p()).isEqualTo(there.p());
    }

    @Test
    void aSharedShiftOfBothMethodsChangesNothing() {
        PairedTest plain = PairedTest.of(new double[] {0.16, 0.18, 0.17}, new double[] {0.17, 0.17, 0.19});
        PairedTest shifted = PairedTest.of(new double[] {0.26, 0.48, 0.67}, new double[] {0.27, 0.47, 0.69});
        assertThat(shifted.p()).isCloseTo(plain.p(), within(1e-12));
    }

    @Test
    void onePairConcludesNothing() {
        assertThat(PairedTest.of(new double[] {0.1}, new double[] {0.9})).satisfies(PairedTestTest::concludesNothing);
    }

    @Test
    void differencesThatAreAllTheSameConcludeNothing() {
        // 0.3 − 0.2 and 0.2 − 0.1 differ in their last bits: rounding must not pass for noise.
        PairedTest test = PairedTest.of(new double[] {0.3, 0.2, 0.8}, new double[] {0.2, 0.1, 0.7});
        assertThat(test.meanDifference()).isCloseTo(0.1, within(1e-12));
        assertThat(test).satisfies(PairedTestTest::concludesNothing);
        assertThat(PairedTest.of(new double[] {0.3, 0.2}, new double[] {0.3, 0.2}))
                .isEqualTo(new PairedTest(2, 0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1));
    }

    @Test
    void missingValuesConcludeNothing() {
        assertThat(PairedTest.of(new double[] {0.3, Double.NaN}, new double[] {0.2, 0.1}))
                .satisfies(PairedTestTest::concludesNothing);
    }

    @Test
    void unequalNumbersCannotBePaired() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PairedTest.of(new double[2], new double[3]))
                .withMessage("2 values cannot be paired with 3");
    }

    private static void concludesNothing(PairedTest test) {
        assertThat(test.measuresNoise()).isFalse();
        assertThat(test.excludesZero()).isFalse();
        assertThat(test.p()).isEqualTo(1);
    }
}
