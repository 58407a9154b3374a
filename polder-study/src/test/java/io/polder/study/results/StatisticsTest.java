package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.study.PairedTest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers behind claims, against hand calculations and against SciPy (tools/golden-statistics.py says how and which). */
class StatisticsTest {
    /** SciPy and commons-math agree on the t distribution to about ten digits. */
    private static final Offset<Double> CLOSE = within(1e-9);

    static List<JsonNode> golden() throws IOException {
        try (InputStream file = StatisticsTest.class.getResourceAsStream("statistics.json")) {
            return StreamSupport.stream(
                            new ObjectMapper().readTree(file).get("cases").spliterator(), false)
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("golden")
    void meansAndDeviationsAreSciPys(JsonNode golden) {
        Spread sam = Spread.of(values(golden, "sam"));
        assertThat(sam.mean()).isCloseTo(golden.get("samMean").doubleValue(), within(1e-15));
        assertThat(sam.deviation()).isCloseTo(golden.get("samDeviation").doubleValue(), within(1e-15));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void pairedTestsAreSciPys(JsonNode golden) {
        agree(PairedTest.of(values(golden, "sam"), values(golden, "standard")), golden.get("samAgainstStandard"));
        agree(PairedTest.of(values(golden, "penalty"), values(golden, "sam")), golden.get("penaltyAgainstSam"));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void signedRanksAreSciPys(JsonNode golden) {
        assertThat(SignedRanks.p(values(golden, "sam"), values(golden, "standard")))
                .isCloseTo(golden.get("wilcoxonSamAgainstStandard").doubleValue(), within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void relativeGainsAreThoseThatSciPysTestDoesNotReject(JsonNode golden) {
        RelativeGain gain =
                RelativeGain.of(values(golden, "standard"), values(golden, "sam"), values(golden, "penalty"));
        JsonNode ratio = golden.get("ratio");
        assertThat(1 + gain.value()).isCloseTo(ratio.get("value").doubleValue(), within(1e-9));
        assertThat(gain.isBounded()).isEqualTo(!ratio.get("low").isNull());
        if (gain.isBounded()) {
            // A ratio to a gain of little more than the noise magnifies the last digits of the t distribution.
            assertThat(1 + gain.low()).isCloseTo(ratio.get("low").doubleValue(), within(1e-7));
            assertThat(1 + gain.high()).isCloseTo(ratio.get("high").doubleValue(), within(1e-7));
        }
    }

    /** "On Cifar10 with cutout, ours is 0.65 while SAM's is 0.38, which is 0.65 = (1 + 71 %) × 0.38." */
    @Test
    void theRelativeGainIsThePapersOwn() {
        double[] standard = {2.81};
        assertThat(RelativeGain.of(standard, new double[] {2.43}, new double[] {2.16})
                        .value())
                .isCloseTo(0.71, within(0.005));
    }

    @Test
    void aGainOverNoGainHasNoRatio() {
        double[] same = {0.1, 0.2};
        RelativeGain gain = RelativeGain.of(same, same, new double[] {0.05, 0.1});
        assertThat(gain.value()).isNaN();
        assertThat(gain.isBounded()).isFalse();
    }

    /** Differences 1, 2, 3, 4, 5, −6: of the 64 sign patterns 14 have a negative sum of ranks of at most 6; twice 14 of 64. */
    @Test
    void signedRanksCountPatterns() {
        assertThat(SignedRanks.p(new double[] {1, 2, 3, 4, 5, 0}, new double[] {0, 0, 0, 0, 0, 6}))
                .isEqualTo(28 / 64.0);
    }

    @Test
    void fivePairsCanNeverBeEvidenceByRanksAndSixCan() {
        double[] zero = new double[6];
        assertThat(SignedRanks.p(new double[] {1, 2, 3, 4, 5}, new double[5])).isEqualTo(2 / 32.0);
        assertThat(SignedRanks.p(new double[] {1, 2, 3, 4, 5, 6}, zero)).isEqualTo(2 / 64.0);
    }

    @Test
    void noDifferenceAtAllIsNoEvidence() {
        assertThat(SignedRanks.p(new double[] {1, 2}, new double[] {1, 2})).isEqualTo(1);
    }

    /** 0.01 × 3, then 0.02 × 2, raised to no less than the one before, then 0.04. */
    @Test
    void holmMultipliesTheLeastMost() {
        assertThat(Holm.corrected(0.04, 0.01, 0.02)).containsExactly(new double[] {0.04, 0.03, 0.04}, CLOSE);
        assertThat(Holm.corrected(0.005, 0.01, 0.03, 0.04))
                .containsExactly(new double[] {0.02, 0.03, 0.06, 0.06}, CLOSE);
        assertThat(Holm.corrected(0.9, 0.8)).containsExactly(1, 1);
        assertThat(Holm.corrected()).isEmpty();
    }

    @Test
    void theDeviationOfOneSeedIsUnknown() {
        assertThat(Spread.of(0.3)).isEqualTo(new Spread(1, 0.3, Double.NaN));
        assertThat(Spread.of()).isEqualTo(new Spread(0, Double.NaN, Double.NaN));
        assertThat(Spread.of(0.1, Double.NaN, 0.3).count()).isEqualTo(2);
    }

    private static void agree(PairedTest test, JsonNode golden) {
        assertThat(test.meanDifference()).isCloseTo(golden.get("mean").doubleValue(), within(1e-12));
        assertThat(test.p()).isCloseTo(golden.get("p").doubleValue(), CLOSE);
        assertThat(test.low()).isCloseTo(golden.get("low").doubleValue(), CLOSE);
        assertThat(test.high()).isCloseTo(golden.get("high").doubleValue(), CLOSE);
    }

    private static double[] values(JsonNode golden, String name) {
        return StreamSupport.stream(golden.get(name).spliterator(), false)
                .mapToDouble(JsonNode::doubleValue)
                .toArray();
    }

    /** Its other trials were lost, and the machine was four times as slow at the time of the one that is left. */
    @Test
    void costIsMeasuredByTheSameSeedWhateverThePaceOfTheMachine() {
        StudyResult whole = StudySamples.three(
                new double[] {18, 17, 17.5}, new double[] {Double.NaN, Double.NaN, 17}, new double[] {17, 17, 17});
        List<ResultRow> rows = new ArrayList<>();
        for (ResultRow row : whole.rows()) {
            double pace = row.method().equals("standard") ? 1000 : 500;
            rows.add(StudySamples.with(
                    row,
                    3,
                    row.outcomes().stream()
                            .map(it -> StudySamples.trained(it.seed() == 2 ? pace / 4 : pace, it.machine(), it))
                            .toList()));
        }
        assertThat(RowSummary.of(new StudyResult("x", "x", rows, List.of(), 9)))
                .extracting(RowSummary::cost)
                .containsExactly(1.0, 2.0, 2.0);
    }
}
