package io.polder.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class IntervalTest {
    @Test
    void sixTurnsAreTheFewestWhoseRangeHoldsTheMedianWith95PerCent() {
        assertThat(Interval.coverage(5)).isEqualTo(1 - 2.0 / 32);
        assertThat(Interval.coverage(6)).isEqualTo(1 - 2.0 / 64);
        assertThat(Interval.of(new double[] {6, 2, 1, 4, 3, 5})).isEqualTo(new Interval(3.5, 1, 6, 6));
    }

    @Test
    void nineTurnsDoWithoutTheOutermostAtEachEnd() {
        // One or none of nine below the median: (1 + 9) / 512 on each side.
        assertThat(Interval.coverage(9)).isCloseTo(1 - 2 * 10.0 / 512, within(1e-15));
        assertThat(Interval.of(new double[] {9, 1, 8, 2, 7, 3, 6, 4, 5})).isEqualTo(new Interval(5, 2, 8, 9));
    }

    @Test
    void oneTurnIsAllThatIsKnown() {
        assertThat(Interval.coverage(1)).isZero();
        assertThat(Interval.of(new double[] {7})).isEqualTo(new Interval(7, 7, 7, 1));
    }

    @Test
    void aTurnThatWasSlowForBothSidesDoesNotWidenTheirRatio() {
        double[] peer = {30, 33, 300, 31.5, 36, 30};
        double[] ours = {20, 22, 200, 21, 24, 20};
        assertThat(Interval.ofRatios(peer, ours)).isEqualTo(new Interval(1.5, 1.5, 1.5, 6));
    }

    @Test
    void aRatioIsDoubtedThatMayBeOneOrHasTooFewTurns() {
        assertThat(new Interval(1.1, 1.05, 1.2, 6).doubt()).isEmpty();
        assertThat(new Interval(0.9, 0.8, 0.99, 5).doubt()).isEmpty();
        assertThat(new Interval(1.1, 0.99, 1.2, 6).doubt())
                .hasValue("no conclusion: the turns disagree by more than the sides differ");
        assertThat(new Interval(2, 1.9, 2.1, 4).doubt()).hasValue("no conclusion: it takes five turns");
    }
}
