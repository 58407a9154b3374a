package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;

class LineChartTest {
    private static final double NONE = Double.NaN;

    @Test
    void aCurveIsALineInABand() {
        var seeds = Samples.comparison(List.of(Samples.SAM), List.of(trial(1, 3, 2, 1), trial(2, 4, 3, 2)));
        assertChart(LineChart.linear("Norm", Curve.allOf(seeds, EpochRecord::gradientNorm), NumberText::significant)
                        .html())
                .containsOnlyOnce("<polyline")
                .containsOnlyOnce("<polygon")
                .doesNotContain("<circle");
        assertChart(chart(3, 2, 1)).containsOnlyOnce("<polyline").doesNotContain("<polygon", "<circle");
    }

    @Test
    void oneEpochIsADot() {
        assertChart(chart(3)).containsOnlyOnce("<circle").doesNotContain("<polyline");
    }

    @Test
    void noEpochIsSaid() {
        assertChart(chart()).contains("Nothing was recorded").doesNotContain("<polyline", "<circle");
        assertChart(chart(NONE, NONE)).contains("Nothing was recorded");
    }

    @Test
    void epochsAtWhichNothingWasMeasuredAreSkipped() {
        assertChart(chart(NONE, 3, NONE, NONE, 2)).containsOnlyOnce("<polyline").doesNotContain("<circle");
    }

    @Test
    void whatIsNotFiniteWhereAnotherMethodIsIsAGap() {
        double overflow = Double.POSITIVE_INFINITY;
        TrialRecord whole =
                new TrialRecord("standard", 1, trial(1, 3, 2, 2, 2, 1, 1).epochs(), 6, 1);
        TrialRecord broken = trial(1, 3, 2, NONE, overflow, 1, 2);
        var comparison = Samples.comparison(List.of(Samples.STANDARD, Samples.SAM), List.of(whole, broken));
        var curves = Curve.allOf(comparison, EpochRecord::gradientNorm);
        assertThat(curves.get(0).runs()).hasSize(1);
        assertThat(curves.get(1).runs()).hasSize(2);
    }

    @Test
    void aConstantIsDrawn() {
        assertChart(chart(2, 2, 2)).contains("<polyline");
        assertChart(chart(0, 0, 0)).contains("<polyline");
    }

    @Test
    void onlyAWideAndPositiveRangeIsLogarithmic() {
        assertChart(chart(3, 0.1)).contains(">0.2<", ">0.5<", ">1<", ">2<");
        assertChart(chart(3, 0.2)).contains(">0<", ">3<").doesNotContain(">0.2<");
        assertChart(chart(3, 0)).contains(">0<", ">3<");
    }

    @Test
    void theChartSaysItsLastValuesInWords() {
        assertChart(chart(3, 2)).contains("aria-label=\"Norm, by epoch. At epoch 2: SAM 2.00\"");
    }

    @Test
    void theBandReachesFromTheLowestSeedToTheHighest() {
        List<TrialRecord> trials = List.of(trial(1, 1), trial(2, 4), trial(3, 2.5), trial(4, NONE));
        assertThat(Curve.allOf(Samples.comparison(List.of(Samples.SAM), trials), EpochRecord::gradientNorm))
                .containsExactly(new Curve("SAM", "c0", List.of(new Curve.Point(1, 1, 2.5, 4))));
    }

    private static AbstractStringAssert<?> assertChart(String html) {
        return assertThat(html).doesNotContain("NaN", "Infinity");
    }

    private static String chart(double... norms) {
        return LineChart.logarithmicIfWide(
                        "Norm",
                        Curve.allOf(
                                Samples.comparison(List.of(Samples.SAM), List.of(trial(1, norms))),
                                EpochRecord::gradientNorm),
                        NumberText::significant)
                .html();
    }

    private static TrialRecord trial(int seed, double... norms) {
        List<EpochRecord> epochs = IntStream.range(0, norms.length)
                .mapToObj(i -> Samples.epoch(i + 1, 0.5, norms[i]))
                .toList();
        return new TrialRecord("sam", seed, epochs, 1, 1);
    }
}
