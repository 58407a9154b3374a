package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.polder.study.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is claimed, and what is not. */
class FindingsTest {
    private static final double[] STANDARD = {18.0, 17.0, 17.5, 17.2, 17.9};
    private static final double[] SAM = {16.8, 16.0, 16.3, 16.1, 16.8};
    private static final double[] PENALTY = {16.2, 15.3, 15.8, 15.4, 16.1};

    @Test
    void clearGainsAreClaimedWithTheirIntervalAndP() {
        assertThat(String.join(" ", Findings.of(StudySamples.three(STANDARD, SAM, PENALTY))))
                .startsWith("Over 5 seeds, test error is 1.12 points lower with SAM than with standard training"
                        + " (95 % interval 1.02 to 1.22, p < 0.0001): more than the noise.")
                .contains("Test error is 0.64 points lower with gradient-norm penalty than with SAM")
                .endsWith(
                        "The penalty's gain over standard training is 57 % more than SAM's (95 % interval 44 to 73 %).");
    }

    @Test
    void withoutAGainOfSamNothingIsPutInRelationToIt() {
        double[] none = {18.1, 16.9, 17.6, 17.0, 18.0};
        assertThat(String.join(" ", Findings.of(StudySamples.three(STANDARD, none, PENALTY))))
                .contains("between SAM and standard training the difference in test error")
                .contains("is within the noise: no claim.")
                .endsWith(
                        "The penalty's gain is not put in relation to SAM's, which is itself not more than the noise.");
    }

    @Test
    void oneSeedIsNoEvidence() {
        assertThat(String.join(
                        " ", Findings.of(StudySamples.three(new double[] {18}, new double[] {16}, new double[] {15}))))
                .contains("One seed cannot tell a difference between SAM and standard training from noise: no claim.")
                .doesNotContain(": more than the noise.", "SAM's");
    }

    @Test
    void aHigherErrorBeyondTheNoiseIsClaimedToo() {
        assertThat(String.join(" ", Findings.of(StudySamples.three(SAM, STANDARD, PENALTY))))
                .startsWith("Over 5 seeds, test error is 1.12 points higher with SAM than with standard training"
                        + " (95 % interval 1.02 to 1.22, p < 0.0001): more than the noise.");
    }

    @Test
    void whatLeavesNoNoiseToMeasureAgainstIsNotClaimed() {
        double[] shifted = {19.1, 17.9, 18.6, 18.0, 19.0};
        double[] standard = {18.1, 16.9, 17.6, 17.0, 18.0};
        assertThat(String.join(" ", Findings.of(StudySamples.three(standard, shifted, standard))))
                .startsWith("Over 5 seeds, test error differs by 1.00 points between SAM and standard training on every"
                        + " seed alike, which leaves no noise to measure it against: no claim."
                        + " Gradient-norm penalty and standard training have the same test error on every seed.");
    }

    @Test
    void oneMethodHasNothingToCompare() {
        var alone = StudySamples.three(STANDARD, SAM, PENALTY).rows().subList(0, 1);
        assertThat(Findings.of(new StudyResult("x", "x", alone, List.of(), 5)))
                .containsExactly("Only one method was trained, so there is nothing to compare it with.");
    }

    @Test
    void severalTestsAskForMoreEvidenceThanOne() {
        double[] standard = {18, 17, 17.5};
        double[] sam = {17, 16.5, 16.6};
        MethodTest test = MethodTest.of(StudySamples.three(standard, sam, new double[] {17.9, 17.1, 17.5}))
                .get(0);
        assertThat(test.test().excludesZero()).isTrue();
        assertThat(test.test().p()).isBetween(0.01, 0.05);
        assertThat(test.corrected()).isGreaterThan(0.05);
        assertThat(test.claim()).isEqualTo(MethodTest.Claim.NONE);
        assertThat(test.sentence(false))
                .contains("enough by itself, but not among the tests of this study (corrected p = ");
        StudyResult alone = new StudyResult(
                "x", "x", StudySamples.three(standard, sam, standard).rows().subList(0, 2), List.of(), 6);
        assertThat(MethodTest.of(alone)).singleElement().satisfies(only -> {
            assertThat(only.corrected()).isEqualTo(only.test().p());
            assertThat(only.claim()).isEqualTo(MethodTest.Claim.LOWER);
        });
    }

    @Test
    void aMethodThatDivergedIsNotClaimedToBeBetter() {
        double[] lucky = SAM.clone();
        lucky[2] = Double.NaN;
        StudyResult result = StudySamples.three(STANDARD, lucky, PENALTY);
        MethodTest sam = MethodTest.of(result).get(0);
        assertThat(sam.seeds()).containsExactly(0L, 1L, 3L, 4L);
        assertThat(sam.claim()).isEqualTo(MethodTest.Claim.NONE);
        assertThat(sam.sentence(false))
                .endsWith("but SAM lost 1 trial to divergence, which its mean leaves out: no claim.");
        // The other way round nothing is hidden: what is worse even without its worst trial is worse.
        assertThat(MethodTest.of(result).get(2).claim()).isEqualTo(MethodTest.Claim.LOWER);
    }

    @Test
    void trialsArePairedBySeedWhateverTheirOrder() {
        StudyResult whole = StudySamples.three(STANDARD, SAM, PENALTY);
        ResultRow sam = whole.rows().get(1);
        List<TrialOutcome> some = new ArrayList<>(sam.outcomes().subList(1, 5));
        Collections.reverse(some);
        StudyResult midway =
                new StudyResult("x", "x", List.of(whole.rows().get(0), StudySamples.with(sam, 5, some)), List.of(), 10);
        MethodTest test = MethodTest.of(midway).get(0);
        assertThat(test.seeds()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(test.test().meanDifference()).isCloseTo(-0.011, within(1e-9));
    }

    @Test
    void inASweepSamIsThatOfTheSameRadius() {
        assertThat(MethodTest.of(StudySamples.sweep())).allSatisfy(test -> {
            if (test.other().method().equals("sam")) {
                assertThat(test.other().r()).isEqualTo(test.row().r());
            }
        });
        assertThat(Findings.of(StudySamples.sweep())).singleElement().asString().startsWith("Of 38 comparisons");
    }

    @Test
    void whereClaimsAreCountedItIsSaidWhose() {
        assertThat(Findings.counted(MethodTest.of(StudySamples.three(STANDARD, SAM, PENALTY))))
                .isEqualTo("Of 3 comparisons with standard training and SAM, test error is lower by more than the noise"
                        + " in 3, higher by more than the noise in 0, and no claim is made in 0."
                        + " Lower than with standard training: SAM; gradient-norm penalty."
                        + " Lower than with SAM: gradient-norm penalty.");
        assertThat(Findings.counted(MethodTest.of(StudySamples.three(SAM, STANDARD, PENALTY))))
                .endsWith(" Higher than with standard training: SAM.");
    }

    @Test
    void aStudyThatHasJustBegunSaysSo() {
        StudyResult whole = StudySamples.three(STANDARD, SAM, PENALTY);
        StudyResult empty = new StudyResult(
                "x",
                "x",
                whole.rows().stream()
                        .map(row -> StudySamples.with(row, 5, List.of()))
                        .toList(),
                List.of(),
                15);
        assertThat(Findings.of(empty))
                .containsExactly("Nothing can be compared yet: no seed has been trained to its end by two methods.");
        assertThat(Findings.progress(empty)).startsWith("The study goes on: 0 of about 15 trials have ended");
        assertThat(StudyText.text(empty)).contains("  5 to come\n", "r = 0.1; 5 to come");
    }
}
