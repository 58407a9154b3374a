package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.run.RateRange.End;
import io.polder.run.RateRange.Point;
import io.polder.run.RateRange.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateRangeTest {
    private static RateRange of(End end, double... smoothed) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < smoothed.length; i++) {
            points.add(new Point(i, Math.pow(10, i - 4), smoothed[i], smoothed[i]));
        }
        return new RateRange(points, end);
    }

    @Test
    void aTenthOfTheRateOfTheLowestLossIsSuggested() {
        assertThat(of(End.DIVERGED, 2.3, 2.3, 2.2, 1.5, 1.1, 1.4, 9)
                        .suggestion()
                        .orElseThrow())
                .isCloseTo(0.1, within(1e-12));
        assertThat(of(End.WHOLE, 2.3, 2.2, 1.5, 1.6).suggestion().orElseThrow()).isCloseTo(1e-3, within(1e-12));
    }

    @Test
    void whereTheLossOnlyRoseOrWasStillFallingNothingIsSuggested() {
        double[] rising = new double[20];
        double[] falling = new double[20];
        for (int i = 0; i < 20; i++) {
            rising[i] = 2 + i;
            falling[i] = 30 - i;
        }
        assertThat(of(End.WHOLE, rising).suggestion()).isEmpty();
        assertThat(of(End.WHOLE, rising).isTooShort()).isFalse();
        assertThat(of(End.WHOLE, falling).suggestion()).isEmpty();
        assertThat(of(End.WHOLE, falling).isTooShort()).isTrue();
        assertThat(of(End.STOPPED).suggestion()).isEmpty();
    }

    @Test
    void ratesGrowByTheSameFactorAndAnAverageWithoutBiasSmoothsTheLoss() throws IOException {
        var range = new Range(1e-4, 1e-2, 21); // more than an epoch of 8 steps
        List<Point> told = new ArrayList<>();
        RateRange found = RateRange.measure(recipe(), SETTINGS, range, () -> false, told::add);
        assertThat(found.end()).isEqualTo(End.WHOLE);
        assertThat(found.points()).hasSize(21).isEqualTo(told);
        assertThat(found.points().get(0).learningRate()).isEqualTo(1e-4);
        assertThat(found.points().get(10).learningRate()).isCloseTo(1e-3, within(1e-15));
        assertThat(found.points().get(20).learningRate()).isCloseTo(1e-2, within(1e-15));
        double sum = 0;
        double weights = 0;
        for (Point point : found.points()) {
            sum = 0.9 * sum + 0.1 * point.loss();
            weights = 0.9 * weights + 0.1;
            assertThat(point.smoothed()).isCloseTo(sum / weights, within(1e-12));
        }
        assertThat(RateRange.measure(recipe("replicas=2"), SETTINGS, range, () -> false, point -> {}))
                .as("the same bits again, by one worker")
                .isEqualTo(found);
    }

    @Test
    void itEndsWhereTheTrainingDivergesOrSomebodyAsks() throws IOException {
        var wide = new Range(1e-3, 1e6, 200);
        RateRange diverged = RateRange.measure(recipe(), SETTINGS, wide, () -> false, point -> {});
        assertThat(diverged.end()).isEqualTo(End.DIVERGED);
        assertThat(diverged.points()).hasSizeLessThan(200);

        List<Point> told = new ArrayList<>();
        RateRange stopped = RateRange.measure(recipe(), SETTINGS, wide, () -> told.size() == 3, told::add);
        assertThat(stopped.end()).isEqualTo(End.STOPPED);
        assertThat(stopped.points()).hasSize(3);
    }

    @Test
    void ratesThatAreNoneAreRefused() {
        assertThatThrownBy(() -> new Range(1, 0.1, 100))
                .hasMessage("the rates are 1.0 to 0.1: they must be above 0, the first below the last");
        assertThatThrownBy(() -> new Range(0.1, 1, 9)).hasMessage("steps is 9: it must be 10 to 1000000");
    }
}
