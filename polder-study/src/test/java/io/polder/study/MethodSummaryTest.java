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
    void costIsTheMedianTimeRelativeToTheFirstMethod() {
        // One epoch of SAM's three was slowed down by something else.
        List<EpochRecord> standard = List.of(Samples.epoch(1, 0.2, 1, 1000));
        List<EpochRecord> sam =
                List.of(Samples.epoch(1, 0.2, 1, 500), Samples.epoch(2, 0.2, 1, 50), Samples.epoch(3, 0.2, 1, 510));
        List<TrialRecord> trials =
                List.of(new TrialRecord("standard", 1, standard, 100, 10), new TrialRecord("sam", 1, sam, 300, 90));
        assertThat(MethodSummary.of(Samples.comparison(List.of(Samples.STANDARD, Samples.SAM), trials)))
                .extracting(MethodSummary::relativeCost)
                .containsExactly(1.0, 2.0);
    }
}
