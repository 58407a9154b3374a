package io.polder.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.results.ResultRow;
import io.polder.study.results.StudyResult;
import io.polder.study.results.StudyText;
import io.polder.study.search.StudyFile;
import io.polder.study.search.StudyRun;
import io.polder.study.search.StudyWatcher;
import io.polder.study.trial.LocalExecutor;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real training on a real cluster. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StudyOnSparkTest {
    /** Saved so often that a trial has a checkpoint long before its end. */
    private static final String STUDY = """
            name: both
            title: The same on one machine and on a cluster
            base: quick-fashion
            set: { epochs: 4, data.images: 640, evaluateEvery: 4, checkpoint.everySteps: 3 }
            methods: [standard, sam]
            search: { kind: none }
            seeds: 2
            """;

    private static final int TRIALS = 4;

    @Test
    void aStudyThatLosesAMachineHasTheTableOfOneMachine(@TempDir Path folder) throws Exception {
        StudyResult here = run(new LocalExecutor(TrialCommand.likeThisProcess(), 2, 1), folder.resolve("here"));
        Path store = folder.resolve("there");
        StudyResult there;
        try (var cluster = StandaloneCluster.start("study", 2, 1)) {
            var powerCut = new FutureTask<Void>(() -> {
                awaitCheckpointsOnBoth(store);
                cluster.cutPower(0);
                return null;
            });
            new Thread(powerCut, "power-cut").start();
            there = run(SparkExecutor.open(cluster.configuration()), store);
            powerCut.get();
        }
        assertThat(there.isComplete()).isTrue();
        assertThat(course(there)).hasSize(TRIALS).isEqualTo(course(here));
        assertThat(withoutCost(there)).isEqualTo(withoutCost(here));
        List<Integer> attempts =
                there.outcomes().stream().map(TrialOutcome::attempts).sorted().toList();
        assertThat(attempts)
                .as("one trial was on the lost machine, and went on from its checkpoint")
                .containsExactly(1, 1, 1, 2);
    }

    private static StudyResult run(TrialExecutor executor, Path store) throws IOException {
        try (executor) {
            return new StudyRun(
                            StudyFile.read(STUDY, "study.yaml", store),
                            new TrialStore(store),
                            executor,
                            Optional.empty(),
                            new StudyWatcher() {})
                    .run();
        }
    }

    /** Each worker has one core: two trials that run are on different ones. */
    private static void awaitCheckpointsOnBoth(Path store) throws IOException, InterruptedException {
        while (running(store) < 2) {
            Thread.sleep(20);
        }
    }

    private static long running(Path store) throws IOException {
        Path trials = store.resolve("trials");
        if (!Files.isDirectory(trials)) {
            return 0;
        }
        try (Stream<Path> each = Files.list(trials)) {
            return each.filter(trial ->
                            !Files.exists(trial.resolve("outcome.json")) && hasFiles(trial.resolve("checkpoints")))
                    .count();
        }
    }

    private static boolean hasFiles(Path directory) {
        String[] names = directory.toFile().list();
        return names != null && names.length > 0;
    }

    /** To the last bit: what was trained, and all that was measured on the way, but for the time it took. */
    private static List<String> course(StudyResult result) {
        return result.rows().stream().flatMap(StudyOnSparkTest::course).toList();
    }

    private static Stream<String> course(ResultRow row) {
        return row.outcomes().stream()
                .map(outcome -> row.label() + " seed " + outcome.seed() + " " + outcome.status() + " "
                        + outcome.lastError() + " " + outcome.lastLoss() + " " + outcome.curve());
    }

    private static String withoutCost(StudyResult result) {
        return StudyText.text(result).replaceAll("[0-9.]+×", "");
    }
}
