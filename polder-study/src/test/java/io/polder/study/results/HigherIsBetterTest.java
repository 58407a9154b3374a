package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.page.Chart;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A study of a task that is judged by a figure of which more is better. */
class HigherIsBetterTest {
    private static final double[] STANDARD = {82.0, 83.0, 82.5, 82.8, 82.1};
    private static final double[] SAM = {83.2, 84.0, 83.7, 83.9, 83.2};
    private static final double[] PENALTY = {83.8, 84.7, 84.2, 84.6, 83.9};
    private static final StudyResult RESULT = StudySamples.ofTags(StudySamples.three(STANDARD, SAM, PENALTY));

    @Test
    void theHighestMeanIsTheBest() {
        assertThat(RowSummary.of(RESULT)).extracting(RowSummary::best).containsExactly(false, false, true);
        assertThat(StudyText.text(RESULT))
                .contains("84.24 ± 0.40 *", "* highest mean, which is no claim by itself")
                .contains("Test mean average precision after the last epoch, mean ±");
    }

    @Test
    void aRowThatLostATrialIsNotTheBest() {
        double[] lucky = PENALTY.clone();
        lucky[2] = Double.NaN;
        assertThat(RowSummary.of(StudySamples.ofTags(StudySamples.three(STANDARD, SAM, lucky))))
                .extracting(RowSummary::best)
                .containsExactly(false, true, false);
    }

    @Test
    void whatIsHigherIsAGain() {
        assertThat(String.join(" ", Findings.of(RESULT)))
                .startsWith(
                        "Over 5 seeds, test mean average precision is 1.12 points higher with SAM than with standard"
                                + " training (95 % interval 1.02 to 1.22, p < 0.0001): more than the noise.")
                .endsWith(
                        "The penalty's gain over standard training is 57 % more than SAM's (95 % interval 44 to 73 %).");
        assertThat(MethodTest.of(RESULT)).allMatch(MethodTest::claimsGain);
    }

    @Test
    void whatIsLowerIsNoneThoughItIsClaimed() {
        StudyResult worse = StudySamples.ofTags(StudySamples.three(SAM, STANDARD, PENALTY));
        assertThat(MethodTest.of(worse).get(0).claim()).isEqualTo(MethodTest.Claim.LOWER);
        assertThat(MethodTest.of(worse).get(0).claimsGain()).isFalse();
        assertThat(String.join(" ", Findings.of(worse)))
                .startsWith("Over 5 seeds, test mean average precision is 1.12 points lower with SAM")
                .endsWith(
                        "The penalty's gain is not put in relation to SAM's, which is itself not more than the noise.");
    }

    /** The better one is the higher: that it lost a trial, its mean does not show. */
    @Test
    void aMethodThatDivergedIsNotClaimedToBeBetter() {
        double[] lucky = SAM.clone();
        lucky[2] = Double.NaN;
        MethodTest test = MethodTest.of(StudySamples.ofTags(StudySamples.three(STANDARD, lucky, PENALTY)))
                .get(0);
        assertThat(test.sentence(false))
                .endsWith("but SAM lost 1 trial to divergence, which its mean leaves out: no claim.");
    }

    @Test
    void tablesNameTheFiguresOfTheTask() {
        assertThat(StudyTable.of(RESULT).headings())
                .containsExactly(
                        "Method",
                        "Settings",
                        "Seeds",
                        "Test mean average precision, %",
                        "Depth <b>",
                        "Gradient norm",
                        "Cost");
        List<String> csv = StudyText.csv(RESULT).lines().toList();
        assertThat(csv.get(0))
                .contains(
                        ",failed,mean_average_precision_mean,mean_average_precision_deviation,depth_mean,depth_deviation,");
        assertThat(csv.get(3)).contains(",84.24,0.4037325848,1.25,0,").contains(",higher,");
        assertThat(StudyText.latex(RESULT))
                .contains(
                        "Test mean average precision, \\%", "$\\mathbf{84.24_{\\pm 0.40}}$", "$1.2500_{\\pm 0.0000}$");
        assertThat(StudyText.json(RESULT)).contains("\"lastMeanAveragePrecision\" : 0.82", "\"better\" : \"HIGHER\"");
    }

    @Test
    void chartsAndThePageNameThemToo() {
        List<Chart> charts = StudyCharts.of(RESULT);
        assertThat(charts).extracting(Chart::name).containsExactly("mean-average-precision", "gradient-norm", "cost");
        assertThat(charts.get(0).y()).isEqualTo("Test mean average precision, %");
        assertThat(charts.get(2).title()).isEqualTo("Cost against mean average precision");
        assertThat(StudyReport.html(RESULT, charts))
                .contains(
                        "<th scope=\"col\">Mean average precision is</th>", "is a lower mean average precision. Claims")
                .contains("\"heading\":\"Mean average precision, %\"")
                .contains("<th scope=\"col\">Depth &lt;b&gt;</th>")
                .doesNotContain("<b>Depth", "depth <b>");
    }

    @Test
    void stagesSayWhatTheyChoseBy() {
        StudyResult whole = StudySamples.ofTags(StudySamples.whole());
        assertThat(StudyText.text(whole).replaceAll("\\s+", " ")).contains("chose r = 0.1 with 9.10 %.");
        assertThat(StudyReport.html(whole, List.of()))
                .contains(
                        "chosen by the mean mean average precision on", "Validation mean average precision, %", "lost");
    }
}
