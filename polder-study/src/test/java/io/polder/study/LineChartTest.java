package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;

class LineChartTest {
    private static final double NONE = Double.NaN;

    @Test
    void aCurveIsALineInABand() {
        var points = List.of(point(1, 3, 4), point(2, 2, 3), point(3, 1, 2));
        assertChart(LineChart.linear("Norm", List.of(new Curve("SAM", "c0", points)), NumberText::significant)
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
    void whatIsNotFiniteIsAGap() {
        assertThat(curve(3, 2, 2, 2, 1, 1).runs()).hasSize(1);
        assertThat(curve(3, 2, NONE, Double.POSITIVE_INFINITY, 1, 2).runs()).hasSize(2);
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
        assertThat(point(1, 1, 4, 2.5, NONE)).isEqualTo(new Curve.Point(1, 1, 2.5, 4));
    }

    private static AbstractStringAssert<?> assertChart(String html) {
        return assertThat(html).doesNotContain("NaN", "Infinity");
    }

    private static String chart(double... norms) {
        return LineChart.logarithmicIfWide("Norm", List.of(curve(norms)), NumberText::significant)
                .html();
    }

    private static Curve curve(double... norms) {
        return new Curve(
                "SAM",
                "c0",
                IntStream.range(0, norms.length)
                        .mapToObj(i -> point(i + 1, norms[i]))
                        .toList());
    }

    private static Curve.Point point(int epoch, double... seeds) {
        return Curve.Point.of(epoch, DoubleStream.of(seeds));
    }
}
