package io.polder.study.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AxisTest {
    @Test
    void linearTicksAreRoundAndEncloseTheValues() {
        assertThat(labels(Axis.linear(15.8, 36.2))).containsExactly("15", "20", "25", "30", "35", "40");
        assertThat(labels(Axis.linear(0.11, 0.31))).containsExactly("0.10", "0.15", "0.20", "0.25", "0.30", "0.35");
        assertThat(labels(Axis.linear(-0.4, 1.4))).containsExactly("−0.5", "0.0", "0.5", "1.0", "1.5");
    }

    @Test
    void aConstantHasRoomOnBothSides() {
        Axis axis = Axis.linear(16, 16);
        assertThat(axis.at(16)).isCloseTo(0.5, within(0.2));
        assertThat(labels(Axis.linear(0, 0))).startsWith("0.0").endsWith("1.0");
    }

    @Test
    void logarithmicTicksFollowTheNumberOfDecades() {
        assertThat(labels(Axis.logarithmic(0.043, 3.3)))
                .containsExactly("0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5");
        assertThat(labels(Axis.logarithmic(0.003, 40))).containsExactly("0.001", "0.01", "0.1", "1", "10", "100");
        assertThat(labels(Axis.logarithmic(1e-300, 1e300)))
                .hasSizeBetween(8, 13)
                .startsWith("1e−300");
    }

    @Test
    void aValueLiesBetweenTheEnds() {
        Random random = new Random(20261115);
        for (int i = 0; i < 1000; i++) {
            double low = Math.exp(20 * random.nextGaussian());
            double high = low * (1 + Math.exp(5 * random.nextGaussian()));
            for (Axis axis : List.of(Axis.linear(low, high), Axis.logarithmic(low, high))) {
                assertThat(axis.at(low)).isBetween(-1e-9, 1.0);
                assertThat(axis.at(high)).isBetween(axis.at(low), 1 + 1e-9);
                assertThat(axis.ticks()).hasSizeBetween(2, 13);
            }
        }
    }

    @Test
    void epochTicksAreWholeAndWithinTheRange() {
        assertThat(labels(Axis.epochs(1, 25))).containsExactly("5", "10", "15", "20", "25");
        assertThat(labels(Axis.epochs(1, 3))).containsExactly("1", "2", "3");
        assertThat(labels(Axis.epochs(7, 7))).containsExactly("7");
        assertThat(Axis.epochs(7, 7).at(7)).isEqualTo(0.5);
    }

    private static List<String> labels(Axis axis) {
        return axis.ticks().stream().map(Axis::label).toList();
    }
}
