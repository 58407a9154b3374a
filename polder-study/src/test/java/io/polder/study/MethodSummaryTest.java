package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class MethodSummaryTest {
    @Test
    void meanAndSampleDeviationAgreeWithTheHandCalculation() {
        // Errors 0.18, 0.17, 0.16: deviations 0.01, 0, 0.01 from the mean, so the variance is 0.0002 / 2.
        MethodSummary summary = MethodSummary.of(Samples.ending(
                        Samples.STANDARD, new double[] {0.18, 0.17, 0.16}, Samples.SAM, new double[] {0.1, 0.1, 0.1}))
                .get(0);
        assertThat(summary.method()).isEqualTo(Samples.STANDARD);
        assertThat(summary.testErrorMean()).isCloseTo(0.17, within(1e-15));
        assertThat(summary.testErrorDeviation()).isCloseTo(0.01, within(1e-15));
        assertThat(summary.gradientNormMean()).isEqualTo(0.5);
    }

    @Test
    void oneSeedHasNoDeviation() {
        Comparison comparison = Samples.ending(Samples.STANDARD, new double[] {0.2}, Samples.SAM, new double[] {0.1});
        assertThat(MethodSummary.of(comparison))
                .allSatisfy(summary -> assertThat(summary.testErrorDeviation()).isNaN());
    }

    @Test
    void costIsTimePerStepRelativeToTheFirstMethod() {
        List<TrialRecord> trials = List.of(
                new TrialRecord("standard", 1, List.of(), 100, 10), new TrialRecord("sam", 1, List.of(), 50, 10));
        assertThat(MethodSummary.of(Samples.comparison(List.of(Samples.STANDARD, Samples.SAM), trials)))
                .extracting(MethodSummary::relativeCost)
                .containsExactly(1.0, 2.0);
    }
}
