package io.polder.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void cosineGoesFromBaseThroughHalfToZeroAndStaysThere() {
        var cosine = Schedule.cosine(0.1, 100);
        assertThat(cosine.at(0)).isEqualTo(0.1);
        assertThat(cosine.at(50)).isCloseTo(0.05, within(1e-15));
        assertThat(cosine.at(25)).isCloseTo(0.1 * (0.5 + Math.sqrt(2) / 4), within(1e-15));
        assertThat(cosine.at(100)).isZero();
        assertThat(cosine.at(1000)).isZero();
    }

    @Test
    void linearAndCosineMeetAtTheirEndsAndInTheMiddle() {
        var linear = Schedule.linear(0.2, 1, 100);
        var cosine = Schedule.cosine(0.2, 1, 100);
        assertThat(linear.at(0)).isEqualTo(0.2).isEqualTo(cosine.at(0));
        assertThat(linear.at(25)).isCloseTo(0.4, within(1e-15));
        assertThat(cosine.at(25)).isCloseTo(0.6 - 0.8 * Math.sqrt(2) / 4, within(1e-15));
        assertThat(linear.at(50)).isCloseTo(0.6, within(1e-15));
        assertThat(cosine.at(50)).isCloseTo(0.6, within(1e-15));
        assertThat(linear.at(100)).isEqualTo(1).isEqualTo(cosine.at(100));
        assertThat(linear.at(1000)).isEqualTo(1).isEqualTo(cosine.at(1000));
    }

    @Test
    void exponentialAndStairsAgreeAtTheEdgesOfTheStairs() {
        var smooth = Schedule.exponential(1, 0.1, 30);
        var stairs = Schedule.stairs(1, 0.1, 30);
        assertThat(stairs.at(29)).isEqualTo(1);
        assertThat(stairs.at(30)).isCloseTo(0.1, within(1e-15));
        assertThat(smooth.at(15)).isCloseTo(Math.sqrt(0.1), within(1e-15));
        assertThat(smooth.at(60)).isCloseTo(stairs.at(60), within(1e-15));
    }

    @Test
    void warmUpGrowsFromZeroAndMultiplies() {
        var warm = Schedule.constant(0.2).times(Schedule.linearWarmup(4));
        assertThat(warm.at(0)).isZero();
        assertThat(warm.at(1)).isEqualTo(0.05);
        assertThat(warm.at(4)).isEqualTo(0.2);
        assertThat(Schedule.linearWarmup(0).at(0)).isEqualTo(1);
    }

    @Test
    void thenCountsTheNextScheduleFromItsOwnStart() {
        var joined = Schedule.constant(1).then(10, Schedule.cosine(0.5, 100));
        assertThat(joined.at(9)).isEqualTo(1);
        assertThat(joined.at(10)).isEqualTo(0.5);
        assertThat(joined.at(60)).isCloseTo(0.25, within(1e-15));
    }

    @Test
    void badNumbersAreRefused() {
        assertThatThrownBy(() -> Schedule.constant(Double.NaN)).hasMessage("value is NaN: it must be a finite number");
        assertThatThrownBy(() -> Schedule.cosine(0.1, 0)).hasMessage("steps is 0: it must be at least 1");
        assertThatThrownBy(() -> Schedule.stairs(0.1, 1.5, 5))
                .hasMessage("factor is 1.5: it must be above 0 and at most 1");
    }
}
