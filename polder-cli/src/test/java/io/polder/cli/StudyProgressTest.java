package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.metrics.MetricsLog;
import io.polder.study.search.Planner;
import io.polder.study.search.StudyFile;
import io.polder.study.search.StudyPlan;
import io.polder.study.search.Trial;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import io.polder.train.EpochMetrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyProgressTest {
    @TempDir
    Path folder;

    /** One was trained for nine of its ten epochs before; the tenth takes ten seconds, as each of the other's ten will. */
    @Test
    void whatAnEarlierSessionDidIsNoMeasureOfSpeed() throws IOException {
        StudyPlan plan = plan();
        var store = new TrialStore(folder);
        Trial resumed = plan.trials().get(0);
        Files.createDirectories(store.directory(resumed.id()));
        try (var log = MetricsLog.create(store.directory(resumed.id()).resolve("metrics.jsonl"), 1, sentence -> {})) {
            for (int epoch = 1; epoch <= 9; epoch++) {
                log.onEpoch(
                        new EpochMetrics(epoch, 10, 1, Map.of("error", 0.5), 1, 20, 0.1, 100, 10, Optional.empty()));
            }
        }
        var output = new StringWriter();
        var clock = new AtomicLong();
        try (var progress = new StudyProgress(new PrintWriter(output), store, clock::get)) {
            progress.planned(plan);
            progress.started(resumed);
            clock.addAndGet(Duration.ofSeconds(10).toNanos());
            progress.ended(resumed, outcome(resumed));
        }
        assertThat(output.toString().lines())
                .containsExactly("[1/2] Standard, seed 1: test error 20.00 %, about 1:40 min left");
    }

    @Test
    void whyTrialsFailIsSaidOnce() {
        StudyPlan plan = plan();
        var output = new StringWriter();
        try (var progress = new StudyProgress(new PrintWriter(output), new TrialStore(folder), System::nanoTime)) {
            progress.planned(plan);
            for (Trial trial : plan.trials()) {
                progress.ended(trial, failed(trial, "replicas is 2 in trials/" + trial.id()));
            }
        }
        assertThat(output.toString().lines())
                .containsExactly(
                        "[1/2] Standard, seed 1: failed: replicas is 2 in trials/"
                                + plan.trials().get(0).id(),
                        "[2/2] Standard, seed 2: failed, for the same reason as one before");
    }

    private StudyPlan plan() {
        return new Planner(StudyFile.read(
                        "name: x\nbase: quick-fashion\nset: { epochs: 10 }\nmethods: [standard]\nseeds: 2\n",
                        "x",
                        folder))
                .plan(id -> Optional.empty());
    }

    private static TrialOutcome outcome(Trial trial) {
        return outcome(trial, TrialOutcome.Status.DONE, "");
    }

    private static TrialOutcome failed(Trial trial, String reason) {
        return outcome(trial, TrialOutcome.Status.FAILED, reason);
    }

    private static TrialOutcome outcome(Trial trial, TrialOutcome.Status status, String reason) {
        return new TrialOutcome(
                trial.id(),
                trial.recipe().toYaml(),
                trial.recipe().name(),
                trial.method().text(),
                trial.recipe().seed(),
                status,
                reason,
                TrialOutcome.TEST,
                10,
                null,
                Map.of("lastError", 0.2, "bestError", 0.2, "lastLoss", 1.0, "top5Error", 0.01),
                1,
                20,
                100,
                100,
                2,
                Instant.EPOCH,
                "a machine",
                List.of());
    }
}
