package io.polder.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.polder.bench.CaseRun.Case;
import io.polder.bench.CaseRun.SideTimes;
import io.polder.bench.Worker.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CaseResultTest {
    private static final double[] OURS = {10, 11, 10, 12, 10, 11};
    private static final double[] OURS_PENALTY = {19, 20.9, 19, 22.8, 19, 20.9};

    @Test
    void tellsHowMuchLongerAPeerTakesByTurns() {
        double[] theirs = {15, 16.5, 15, 18, 15, 16.5};
        var result = result(side("Polder", OURS, OURS_PENALTY), side("peer", theirs, null));

        assertThat(result.rows().get(1).standardRatio()).isEqualTo(new Interval(1.5, 1.5, 1.5, 6));
        assertThat(result.conclusions())
                .containsExactly(
                        "peer, standard: takes 1.50 [1.50, 1.50] times as long as Polder", "slow: left out: not here");
    }

    @Test
    void concludesNothingWhereTurnsDisagreeByMoreThanTheSidesDiffer() {
        double[] theirs = {9, 12, 11, 13, 11, 12};
        var result = result(side("Polder", OURS, null), side("peer", theirs, null));

        assertThat(result.conclusions().get(0))
                .isEqualTo(
                        "peer, standard: no conclusion: the turns disagree by more than the sides differ (1.09 [0.90, 1.10])");
    }

    @Test
    void comparesThePenaltyWithTwoStandardStepsOfTheSameTurn() {
        var row = result(side("Polder", OURS, OURS_PENALTY)).rows().get(0);

        assertThat(row.againstTwo().low()).isCloseTo(0.95, within(1e-12));
        assertThat(row.againstTwo().high()).isCloseTo(0.95, within(1e-12));
    }

    /** A gradient is three passes of 2 flops a multiply-add: 2 · 2 · 3 · 10⁶ · 4 in 19.95 ms, of 12 GFLOP/s. */
    @Test
    void comparesTheRateOfAStepWithThatOfAProduct() {
        var row = result(side("Polder", OURS, OURS_PENALTY)).rows().get(0);

        assertThat(row.ofProduct()).isCloseTo(48e6 / 19.95e-3 / 12e9, within(1e-12));
        assertThat(row.outside()).isCloseTo(0.25, within(1e-12));
    }

    private static CaseResult result(SideTimes... sides) {
        return new CaseResult(
                new Case("wrn-10-1", 4), 1, 100, 1_000_000, 12, List.of(sides), Map.of("slow", "not here"));
    }

    /** A step a turn, three quarters of each in its passes. */
    private static SideTimes side(String name, double[] standard, double[] penalty) {
        List<Map<String, List<Step>>> turns = new ArrayList<>();
        for (int i = 0; i < standard.length; i++) {
            Map<String, List<Step>> turn = new LinkedHashMap<>();
            turn.put(CaseRun.STANDARD, List.of(new Step(standard[i], 0.75 * standard[i])));
            if (penalty != null) {
                turn.put(CaseRun.PENALTY, List.of(new Step(penalty[i], 0.75 * penalty[i])));
            }
            turns.add(turn);
        }
        return new SideTimes(name, "engine", turns, 0, 0);
    }
}
