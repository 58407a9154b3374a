package io.polder.penalty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.schedule.Schedule;
import io.polder.tensor.RandomStreams;
import org.junit.jupiter.api.Test;

class CoefficientsTest {
    private static final Coefficients CONSTANT = Coefficients.constant(0.1, 0.8);

    @Test
    void lambdaAndAlphaConvertIntoOneAnother() {
        assertThat(CONSTANT.lambdaAt(3)).isCloseTo(0.08, within(1e-15));
        var fromLambda = Coefficients.ofLambda(Schedule.constant(0.1), Schedule.constant(0.08));
        assertThat(fromLambda.alphaAt(3)).isCloseTo(0.8, within(1e-15));
    }

    @Test
    void lambdaWithoutRadiusIsNoPenaltyRatherThanADivisionByZero() {
        var warming =
                Coefficients.ofLambda(Schedule.constant(0.1).times(Schedule.linearWarmup(4)), Schedule.constant(0.08));
        assertThat(warming.alphaAt(0)).isZero();
        assertThat(warming.alphaAt(2)).isCloseTo(1.6, within(1e-14));
    }

    @Test
    void warmUpOfRadiusLeavesAlpha() {
        var warming = CONSTANT.warmUpRadius(4);
        assertThat(warming.radiusAt(0)).isZero();
        assertThat(warming.radiusAt(1)).isEqualTo(0.025);
        assertThat(warming.radiusAt(9)).isEqualTo(0.1);
        assertThat(warming.alphaAt(0)).isEqualTo(0.8);
    }

    @Test
    void warmUpOfLambdaLeavesRadius() {
        var warming = CONSTANT.warmUpLambda(4);
        assertThat(warming.alphaAt(0)).isZero();
        assertThat(warming.alphaAt(1)).isEqualTo(0.2);
        assertThat(warming.alphaAt(4)).isEqualTo(0.8);
        assertThat(warming.radiusAt(0)).isEqualTo(0.1);
    }

    @Test
    void offForTheFirstStepsIsNoPenaltyThenAllOfIt() {
        var off = CONSTANT.offFor(10);
        assertThat(off.alphaAt(9)).isZero();
        assertThat(off.alphaAt(10)).isEqualTo(0.8);
    }

    @Test
    void badCoefficientsAreRefusedInOneSentence() {
        assertThatThrownBy(() -> GradientScheme.sam(-0.1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("r is -0.1: it must be a finite number of at least 0");
        assertThatThrownBy(() -> GradientScheme.sam(Double.NaN)).hasMessageContaining("r is NaN");
        assertThatThrownBy(() -> GradientScheme.gradientNormPenalty(0.1, Double.NaN))
                .hasMessage("alpha is NaN: it must be a finite number");
        assertThatThrownBy(() -> new Coefficients(Schedule.constant(0.1), step -> Double.NaN))
                .hasMessage("alpha is NaN: it must be a finite number");
        var later = new Coefficients(step -> step < 5 ? 0.1 : -1, Schedule.constant(1));
        assertThatThrownBy(() -> later.radiusAt(5)).hasMessageContaining("r is -1");
    }

    @Test
    void alphaOutsideZeroToOneIsAllowedBecauseThePaperStudiesIt() {
        assertThat(Coefficients.constant(0.1, -0.5).alphaAt(0)).isEqualTo(-0.5);
        assertThat(Coefficients.constant(0.1, 2).alphaAt(0)).isEqualTo(2);
    }

    @Test
    void hybridStepsArePenalisedWithTheirProbabilityAndReproducibly() {
        int[] penalised = {0};
        GradientScheme counting = (pass, parameters, step) -> {
            penalised[0]++;
            return StepGradient.perturbed(0, 0, 0, 1, 1);
        };
        var streams = new RandomStreams(7);
        var hybrid = new IntermittentScheme(counting, Turns.withProbability(step -> step < 5000 ? 0.25 : 1, streams));
        LossPass never = pass -> Double.NaN;
        boolean[][] chosen = new boolean[2][6000];
        for (boolean[] run : chosen) {
            penalised[0] = 0;
            for (int step = 0; step < run.length; step++) {
                int before = penalised[0];
                try {
                    hybrid.computeGradient(never, null, step);
                } catch (NonFiniteStepException standardStep) {
                    // The standard scheme calls the pass, which gives NaN.
                }
                run[step] = penalised[0] > before;
            }
            // 5000 draws at 1/4: the deviation is 31; then 1000 certain ones.
            assertThat(penalised[0]).isBetween(1250 - 150 + 1000, 1250 + 150 + 1000);
        }
        assertThat(chosen[0]).isEqualTo(chosen[1]);
        assertThatThrownBy(() -> Turns.withProbability(Schedule.constant(1.5), streams))
                .hasMessage("probability is 1.5: it must be between 0 and 1");
    }
}
