package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.metrics.MetricsHistory;
import io.polder.metrics.MetricsLog;
import io.polder.metrics.RunRecord;
import io.polder.study.page.Chart;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.Figure;
import io.polder.train.Figures;
import io.polder.train.StepMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
    private static final Instant NOW = Instant.ofEpochSecond(10_000);

    @TempDir
    private Path folder;

    @Test
    void theLeadSaysMethodStateAndTheLastAndLowestTestError() {
        String html = html(run(Map.of("epochs", "9", "status", "done"), 0.2, 0.1, 0.15));
        assertThat(html)
                .contains("Gradient-norm penalty, r = 0.1, α = 0.8: epoch 3 of 9, finished."
                        + " The test error is 15.00 %; at epoch 2 it was 10.00 %.")
                .contains("<b>10.00</b> <small>lowest test error, %, epoch 2</small>");
        assertThat(html(run(Map.of("epochs", "9", "status", "done", "stoppedEarly", "after epoch 3 of 9: why"), 0.2)))
                .contains("epoch 1 of 9, finished early.", "Stopped early", "after epoch 3 of 9: why");
        assertThat(html(run(Map.of(), 0.2, 0.1)))
                .contains("epoch 2, ", "The test error is 10.00 %, the lowest so far.");
        assertThat(html(run(Map.of()))).contains("Epoch 0, ", "No test error yet.");
    }

    @Test
    void aRunOfAnotherTaskAndSchemeShowsItsFigures() throws IOException {
        Files.writeString(folder.resolve("run.json"), """
                {"name": "tags", "status": "done", "task": {
                 "judge": {"name": "precision", "label": "precision <i>", "unit": "SHARE", "better": "HIGHER"},
                 "training": [{"name": "wrongTags", "label": "wrong tags", "unit": "SHARE", "better": "LOWER"}],
                 "evaluation": [{"name": "loss", "label": "loss", "unit": "NUMBER", "better": "LOWER"},
                  {"name": "precision", "label": "precision <i>", "unit": "SHARE", "better": "HIGHER", "new": 1},
                  {"name": "depth", "label": "depth", "unit": "NUMBER", "better": "LOWER"}]}}
                """);
        try (var log = MetricsLog.create(folder.resolve("metrics.jsonl"), 1, warning -> {})) {
            double[] precisions = {0.2, 0.7, 0.6};
            for (int epoch = 1; epoch <= 3; epoch++) {
                Map<String, Double> figures = Map.of("wrongTags", 0.25, "stepsSinceAscent", 3.0);
                log.onStep(new StepMetrics(epoch - 1, epoch - 1, 1, 1, 1, 1, 0.1, figures, 100));
                var test = new Evaluation(Map.of("loss", 1.0, "precision", precisions[epoch - 1], "depth", 1.5), 100);
                Map<String, Double> training = Map.of("wrongTags", 0.25);
                log.onEpoch(new EpochMetrics(epoch, 1, 1, training, 1, 1, 0.1, 100, 1, Optional.of(test)));
            }
        }
        RunReport.write(folder);
        assertThat(folder.resolve("report.html"))
                .content()
                .contains("Epoch 3, finished. The test precision &lt;i&gt; is 60.00 %; at epoch 2 it was 70.00 %.")
                .contains("<b>70.00</b> <small>highest test precision &lt;i&gt;, %, epoch 2</small>")
                .contains("<b>25.00</b> <small>training wrong tags, %</small>")
                .contains(">Precision &lt;i&gt;, %</text>", ">Wrong tags, %</text>", ">Depth</text>", "1.5000")
                .contains(">Steps since ascent</text>")
                .doesNotContain("rror", "Radius", "Standard training", "<i>");
    }

    @Test
    void runsOfSeveralTasksStandSideBySide() {
        var precision = new Figure("precision", "precision", Figure.Unit.SHARE, Figure.Better.HIGHER);
        var tags = new LenientRunInfo(Map.of(), new Figures(precision, List.of(), List.of(precision)));
        RunSnapshot images = run(Map.of(), 0.2, 0.1);
        assertThat(RunsPage.html(List.of(images, new RunSnapshot("tags", tags, history(List.of()))), NOW))
                .contains("data-label=\"Test error, %\">10.00<small>Test error, % lowest 10.00<")
                .contains("data-label=\"Test precision, %\">–<small>Test precision, % <")
                .contains(">Test error, %</text>", ">Test precision, %</text>");
    }

    @Test
    void theMethodIsReadOffTheSteps() {
        assertThat(method(0, 0)).isEqualTo("Standard training");
        assertThat(method(0.05, 1)).isEqualTo("SAM, r = 0.05");
        assertThat(method(0.1, 0.8)).isEqualTo("Gradient-norm penalty, r = 0.1, α = 0.8");
    }

    @Test
    void aDirectoryWithNothingInItHasAReportToo() throws IOException {
        RunReport.write(folder);
        assertThat(folder.resolve("report.html"))
                .content()
                .contains("Nothing was recorded", folder.getFileName().toString());
        Files.writeString(folder.resolve("run.json"), "{\"name\": [tor");
        RunReport.write(folder);
        assertThat(folder.resolve("report.html"))
                .content()
                .contains(folder.getFileName().toString());
    }

    @Test
    void whatStrangersWroteIsText() throws IOException {
        try (var run = SampleRun.begin(folder)) {
            run.steps(100);
        }
        SampleRun.resume(folder, 60).close();
        Files.writeString(folder.resolve("recipe.yaml"), "name: '<script>alert(1)</script>'\n");
        RunReport.write(folder);
        String html = Files.readString(folder.resolve("report.html"));
        assertThat(html)
                .contains(
                        "wrn-16-2 &lt;cifar10&gt;", "&lt;script&gt;alert", "after &lt;a kill&gt;", "50,000", "691,674")
                .doesNotContain("<script>alert", "<a kill>", "NaN", "Infinity");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("metrics.jsonl", "run.json", "recipe.yaml", "report.html");
        }
    }

    @Test
    void theReportOfALongRunIsNoLargerThanThatOfAShortOne() throws IOException {
        Path brief = folder.resolve("brief");
        Path lasting = folder.resolve("lasting");
        try (var run = SampleRun.begin(brief)) {
            run.steps(1_000);
        }
        try (var run = SampleRun.begin(lasting)) {
            run.steps(60_000);
        }
        RunReport.write(brief);
        RunReport.write(lasting);
        assertThat(Files.size(lasting.resolve("report.html"))).isLessThan(2 * Files.size(brief.resolve("report.html")));
    }

    @Test
    void stretchesArePowersOfTwoAndTheLastTakesTheRest() {
        assertThat(RunCharts.points(measurements(160))).hasSize(160).allMatch(point -> point.low() == point.high());
        List<Chart.Point> points = RunCharts.points(measurements(643));
        assertThat(points.get(0)).isEqualTo(new Chart.Point(3, 0, 1.5, 3));
        assertThat(points.get(1)).isEqualTo(new Chart.Point(7, 4, 5.5, 7));
        assertThat(points).hasSize(160);
        assertThat(points.get(159)).isEqualTo(new Chart.Point(642, 636, 639, 642));
        assertThat(RunCharts.points(List.of())).isEmpty();
    }

    @Test
    void aRunIsStalledWhenItHasBeenSilentForLong() {
        assertThat(stateOf(Map.of("status", "running"), 9_950)).isEqualTo(RunState.RUNNING);
        assertThat(stateOf(Map.of("status", "running"), 9_930)).isEqualTo(RunState.STALLED);
        assertThat(stateOf(Map.of(), 9_930)).isEqualTo(RunState.STALLED);
        assertThat(stateOf(Map.of("status", "done"), 9_930)).isEqualTo(RunState.FINISHED);
        assertThat(stateOf(Map.of("status", "diverged"), 9_990)).isEqualTo(RunState.DIVERGED);
        // A run that records something every 30 s may well be silent for 70.
        assertThat(stateOf(Map.of(), 9_840, 9_870, 9_900, 9_930)).isEqualTo(RunState.RUNNING);
        assertThat(RunState.of(new LenientRunInfo(Map.of()), history(List.of()), NOW))
                .isEqualTo(RunState.RUNNING);
    }

    private static RunState stateOf(Map<String, String> info, double... times) {
        List<RunRecord.Step> steps = new ArrayList<>();
        for (double time : times) {
            steps.add(new RunRecord.Step(step(steps.size(), 0.1, 0.8), time));
        }
        return RunState.of(new LenientRunInfo(info), history(steps), NOW);
    }

    private static String method(double r, double alpha) {
        var steps = List.of(new RunRecord.Step(step(0, r, alpha), 0), new RunRecord.Step(step(1, 0, 0), 0));
        return new RunSnapshot("x", new LenientRunInfo(Map.of()), history(steps)).method();
    }

    private static RunSnapshot run(Map<String, String> info, double... testErrors) {
        List<RunRecord.Step> steps = new ArrayList<>();
        List<RunRecord.Epoch> epochs = new ArrayList<>();
        for (double error : testErrors) {
            int epoch = epochs.size() + 1;
            steps.add(new RunRecord.Step(step(epoch - 1, 0.1, 0.8), 9_000 + epoch));
            var test = new Evaluation(Map.of("loss", 1.0, "error", error, "top5Error", 0.0), 100);
            epochs.add(new RunRecord.Epoch(
                    new EpochMetrics(epoch, 1, 1, Map.of("error", 0.5), 1, 1, 0.1, 100, 1, Optional.of(test)),
                    epoch,
                    9_000 + epoch));
        }
        return new RunSnapshot("x", new LenientRunInfo(info), new MetricsHistory(steps, epochs, List.of(), 0));
    }

    private static MetricsHistory history(List<RunRecord.Step> steps) {
        return new MetricsHistory(steps, List.of(), List.of(), 0);
    }

    private static StepMetrics step(int step, double r, double alpha) {
        return new StepMetrics(step, step, 1, 1, 1, 1, 0.1, Map.of("error", 0.5, "r", r, "alpha", alpha), 100);
    }

    private static List<RunCharts.Measurement> measurements(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new RunCharts.Measurement(i, i))
                .toList();
    }

    private static String html(RunSnapshot run) {
        return RunReport.html(run, "", "", NOW);
    }
}
