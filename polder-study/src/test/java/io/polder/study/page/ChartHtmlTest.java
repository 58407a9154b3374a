package io.polder.study.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;

class ChartHtmlTest {
    private static final double NONE = Double.NaN;

    @Test
    void aCurveIsALineInABand() {
        var points = List.of(new Chart.Point(1, 3, 3.5, 4), new Chart.Point(2, 2, 2.5, 3));
        assertChart(ChartHtml.of(chart(Chart.Kind.COURSE, new Chart.Series("SAM", Style.of(1), points))))
                .containsOnlyOnce("<polyline")
                .containsOnlyOnce("<polygon")
                .doesNotContain("<circle");
        assertChart(html(3, 2, 1)).containsOnlyOnce("<polyline").doesNotContain("<polygon", "<circle");
    }

    @Test
    void oneEpochIsADot() {
        assertChart(html(3)).containsOnlyOnce("<circle").doesNotContain("<polyline");
    }

    @Test
    void noEpochIsSaid() {
        assertChart(html()).contains("Nothing was recorded").doesNotContain("<polyline", "<circle");
        assertChart(html(NONE, NONE)).contains("Nothing was recorded");
    }

    @Test
    void whatIsNotFiniteIsAGap() {
        double overflow = Double.POSITIVE_INFINITY;
        assertThat(series(3, 2, 2, 2, 1, 1).stretches()).hasSize(1);
        assertThat(series(3, 2, NONE, overflow, 1, 2).stretches()).hasSize(2);
        assertChart(html(3, 2, NONE, overflow, 1, 2)).contains("data-values=\"3.00 2.00 1.00 2.00\"");
    }

    @Test
    void aConstantIsDrawn() {
        assertChart(html(2, 2, 2)).contains("<polyline");
        assertChart(html(0, 0, 0)).contains("<polyline");
    }

    @Test
    void onlyAWideAndPositiveRangeIsLogarithmic() {
        assertChart(html(3, 0.1)).contains(">0.2<", ">0.5<", ">1<", ">2<");
        assertChart(html(3, 0.2)).contains(">0<", ">3<").doesNotContain(">0.2<");
        assertChart(html(3, 0)).contains(">0<", ">3<");
    }

    @Test
    void theChartSaysItsLastValuesInWords() {
        assertChart(html(3, 2)).contains("aria-label=\"Norm, by epoch. At epoch 2: SAM 2.00\"");
    }

    @Test
    void theBandReachesFromTheLowestSeedToTheHighest() {
        assertThat(Chart.Point.of(1, DoubleStream.of(1, 4, 2.5, NONE))).isEqualTo(new Chart.Point(1, 1, 2.5, 4));
    }

    @Test
    void whereASeriesHasNoPointItHasNoValue() {
        assertChart(ChartHtml.of(chart(Chart.Kind.COURSE, series(5, 4), series(3, 2, 1))))
                .contains("data-values=\"5.00 4.00 –\"", "data-values=\"3.00 2.00 1.00\"");
    }

    /** Points that no line joins have no order in which to read them off. */
    @Test
    void onlySeriesAreReadOff() {
        assertChart(ChartHtml.of(chart(Chart.Kind.LINES, series(3, 2))))
                .contains("data-x=", "class=\"rule\"", "<circle");
        assertChart(ChartHtml.of(chart(Chart.Kind.LOW_FRONTIER, series(3, 2))))
                .contains("<circle")
                .doesNotContain("data-x=", "class=\"rule\"", "<polyline");
    }

    @Test
    void theFrontierIsWhatNothingElseBeatsInBoth() {
        Chart errors = chart(Chart.Kind.LOW_FRONTIER, at(1, 5), at(3, 4), at(2, 3), at(4, 3), at(5, 2));
        assertThat(errors.frontier()).extracting(Chart.Point::x).containsExactly(1.0, 2.0, 5.0);
        Chart precisions = chart(Chart.Kind.HIGH_FRONTIER, at(1, 5), at(3, 4), at(2, 6), at(2, 7));
        assertThat(precisions.frontier()).extracting(Chart.Point::mean).containsExactly(5.0, 7.0);
    }

    @Test
    void aPointThatIsFarWorseStandsAtTheEndOfTheAxisWithItsValue() {
        Chart chart = chart(Chart.Kind.LOW_FRONTIER, at(1, 5), at(2, 4), at(3, 4.5), at(4, 40));
        assertThat(chart.up().high()).isEqualTo(5);
        assertChart(ChartHtml.of(chart)).contains(">40.00 ↑</text>");
        Chart baselineIsWorst = chart(Chart.Kind.LOW_FRONTIER, at(1, 40), at(2, 4), at(3, 4.5), at(4, 5));
        assertThat(baselineIsWorst.up().high()).isEqualTo(40);
        Chart higherIsBetter = chart(Chart.Kind.HIGH_FRONTIER, at(1, 40), at(2, 41), at(3, 42), at(4, 5));
        assertThat(higherIsBetter.up().low()).isEqualTo(40);
        assertChart(ChartHtml.of(higherIsBetter)).contains(">5.00 ↓</text>");
    }

    @Test
    void dotsHaveNumbersWhereColoursDoNotSuffice() {
        Chart.Series[] nine =
                IntStream.rangeClosed(1, 9).mapToObj(i -> at(i, i)).toArray(Chart.Series[]::new);
        assertChart(ChartHtml.of(chart(Chart.Kind.LOW_FRONTIER, nine))).contains(">9</text>", ">9 ");
        assertChart(ChartHtml.of(chart(Chart.Kind.LOW_FRONTIER, at(1, 3.5), at(2, 3.25))))
                .doesNotContain(">1</text>", ">2 ");
    }

    private static Chart.Series at(double x, double mean) {
        return new Chart.Series("at " + x, Style.of((int) x), List.of(Chart.Point.at(x, mean)));
    }

    @Test
    void aLongSeriesIsThinnedAndKeepsItsEnd() {
        double[] values = IntStream.rangeClosed(1, 1000).asDoubleStream().toArray();
        assertChart(html(values)).contains("data-values=\"1.00 8.00 15.00 ", " 995.00 1000.00\"");
    }

    private static AbstractStringAssert<?> assertChart(String html) {
        return assertThat(html).doesNotContain("NaN", "Infinity");
    }

    private static String html(double... values) {
        return ChartHtml.of(chart(Chart.Kind.COURSE, series(values)));
    }

    private static Chart chart(Chart.Kind kind, Chart.Series... series) {
        return new Chart(
                "",
                "Norm",
                "Epoch",
                "Norm",
                kind,
                Chart.Scale.LOGARITHMIC_IF_WIDE,
                List.of(series),
                value -> Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "–");
    }

    private static Chart.Series series(double... values) {
        return new Chart.Series(
                "SAM",
                Style.of(1),
                IntStream.range(0, values.length)
                        .mapToObj(i -> Chart.Point.of(i + 1, DoubleStream.of(values[i])))
                        .toList());
    }
}
