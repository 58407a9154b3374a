package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
    @Test
    void theReportTellsVerdictTableChartsAndFactsInThatOrder() {
        assertThat(HtmlReport.html(Samples.study()))
                .containsSubsequence(
                        "<h1>Gradient-norm penalty on CIFAR-10</h1>",
                        "Over 3 seeds, test error is",
                        "<table class=\"outcome\">",
                        "Test error, %</text>",
                        "Gradient norm</text>",
                        "Test error by seed",
                        "<dt>Network</dt>",
                        "<dt>SAM</dt><dd>r = 0.2</dd>",
                        "<dt>Seeds</dt><dd>1, 2, 3</dd>",
                        "<dt>Started</dt><dd>12 November 2026, 14:03 UTC</dd>",
                        "<dt>Took</dt><dd>1 h 12 min</dd>",
                        "<dt>Engine</dt>",
                        "<span>polder</span> <span>compare</span> <span>--dataset</span>");
    }

    @Test
    void textFromDataIsEscapedEverywhere() {
        String hostile = "<script>alert('x')</script>&\"%s";
        Method method = new Method(hostile, hostile, hostile);
        Comparison sample = Samples.study();
        Comparison comparison = new Comparison(
                hostile,
                hostile,
                hostile,
                sample.started(),
                1,
                List.of(method, new Method("other", hostile, hostile)),
                List.of(
                        new TrialRecord(hostile, 1, List.of(Samples.epoch(1, 0.2, 1)), 1, 1),
                        new TrialRecord(hostile, 2, List.of(Samples.epoch(1, 0.3, 1)), 1, 1),
                        new TrialRecord("other", 1, List.of(Samples.epoch(1, 0.2, 1)), 1, 1),
                        new TrialRecord("other", 2, List.of(Samples.epoch(1, 0.3, 1)), 1, 1)),
                Map.of(hostile, hostile),
                Map.of(hostile, hostile));
        assertThat(HtmlReport.html(comparison))
                .doesNotContain("<script>alert", "&\"%s")
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;%s");
    }

    @Test
    void shortOrBrokenTrialsStillMakeAReport() {
        for (List<EpochRecord> epochs : List.of(
                List.<EpochRecord>of(),
                List.of(Samples.epoch(1, 0.3, 2)),
                List.of(Samples.epoch(1, Double.NaN, Double.NaN), Samples.epoch(2, 0.9, Double.POSITIVE_INFINITY)))) {
            Comparison comparison = Samples.comparison(
                    List.of(Samples.STANDARD, Samples.SAM),
                    List.of(
                            new TrialRecord("standard", 1, epochs, 0, 0),
                            new TrialRecord("sam", 1, epochs, 10, Double.NaN)));
            assertThat(HtmlReport.html(comparison))
                    .doesNotContain("NaN", "Infinity", "null")
                    .contains("no claim");
        }
    }

    @Test
    void theReportPointsAtNothingOutsideItself() {
        assertThat(HtmlReport.html(Samples.study())).doesNotContain("http:", "https:", "@import", "url(", "src=");
    }
}
