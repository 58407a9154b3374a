package io.polder.study;

import static io.polder.study.Samples.PENALTY;
import static io.polder.study.Samples.SAM;
import static io.polder.study.Samples.STANDARD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {
    @Test
    void aLowerErrorBeyondTheNoiseIsClaimed() {
        assertThat(verdict(new double[] {0.180, 0.170, 0.175}, new double[] {0.168, 0.160, 0.163}))
                .isEqualTo("Over 3 seeds, test error is 1.13 points lower with SAM than with standard training"
                        + " (95 % interval 0.85 to 1.42): more than the noise.");
    }

    @Test
    void aHigherErrorBeyondTheNoiseIsClaimedToo() {
        assertThat(verdict(new double[] {0.168, 0.160, 0.163}, new double[] {0.180, 0.170, 0.175}))
                .isEqualTo("Over 3 seeds, test error is 1.13 points higher with SAM than with standard training"
                        + " (95 % interval 0.85 to 1.42): more than the noise.");
    }

    @Test
    void aDifferenceWithinTheNoiseIsNotClaimed() {
        assertThat(verdict(new double[] {0.17, 0.17}, new double[] {0.16, 0.17}))
                .isEqualTo("Over 2 seeds, between SAM and standard training the difference in test error"
                        + " (0.50 points, 95 % interval −5.85 to 6.85) is within the noise: no claim.");
    }

    @Test
    void noDifferenceOnAverageIsWithinTheNoise() {
        assertThat(verdict(new double[] {0.17, 0.16}, new double[] {0.16, 0.17}))
                .isEqualTo("Over 2 seeds, between SAM and standard training the difference in test error"
                        + " (0.00 points, 95 % interval −12.71 to 12.71) is within the noise: no claim.");
    }

    @Test
    void equalErrorsAreCalledEqual() {
        assertThat(verdict(new double[] {0.17, 0.16}, new double[] {0.17, 0.16}))
                .isEqualTo("Over 2 seeds, SAM and standard training have the same test error on every seed.");
    }

    @Test
    void theSameDifferenceOnEverySeedIsNotClaimed() {
        assertThat(verdict(new double[] {0.3, 0.2}, new double[] {0.2, 0.1}))
                .isEqualTo("Over 2 seeds, test error is 10.00 points lower with SAM than with standard training on"
                        + " every seed alike, which leaves no noise to measure it against: no claim.");
    }

    @Test
    void oneSeedIsNoEvidence() {
        assertThat(verdict(new double[] {0.3}, new double[] {0.1}))
                .isEqualTo("One seed cannot tell a difference between methods from noise: no claim.");
    }

    @Test
    void oneMethodHasNothingToCompare() {
        assertThat(Verdict.of(Samples.ending(Map.of(SAM, new double[] {0.1, 0.2}))))
                .isEqualTo("Only one method was trained, so there is nothing to compare it with.");
    }

    @Test
    void aMissingErrorIsSaid() {
        assertThat(verdict(new double[] {0.3, 0.2}, new double[] {0.2, Double.NaN}))
                .isEqualTo("Over 2 seeds, not every trial of SAM and standard training has a test error: no claim.");
    }

    @Test
    void threeMethodsAreJudgedInAllPairs() {
        Map<Method, double[]> errors = new LinkedHashMap<>();
        errors.put(STANDARD, new double[] {0.180, 0.170, 0.175});
        errors.put(SAM, new double[] {0.168, 0.160, 0.163});
        errors.put(PENALTY, new double[] {0.166, 0.161, 0.161});
        assertThat(Verdict.of(Samples.ending(errors)))
                .isEqualTo("Over 3 seeds, test error is 1.23 points lower with gradient-norm penalty than with standard"
                        + " training (95 % interval 0.52 to 1.95): more than the noise."
                        + " Test error is 1.13 points lower with SAM than with standard training (0.85 to 1.42): more"
                        + " than the noise."
                        + " Between gradient-norm penalty and SAM the difference in test error (0.10 points, −0.33 to 0.53)"
                        + " is within the noise: no claim.");
    }

    private static String verdict(double[] standard, double[] sam) {
        return Verdict.of(Samples.ending(STANDARD, standard, SAM, sam));
    }
}
