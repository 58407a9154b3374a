package io.polder.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.polder.study.RunReport;
import io.polder.study.RunSnapshot;
import io.polder.study.SampleRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WatchedRunsTest {
    @TempDir
    private Path folder;

    @Test
    void aDirectoryIsARunOrContainsRuns() throws IOException {
        Files.createDirectories(folder.resolve("notes"));
        SampleRun.begin(folder.resolve("b")).close();
        SampleRun.begin(folder.resolve("a")).close();
        // They call themselves the same, so they go by their directories.
        assertThat(names(List.of(folder))).containsExactly("a", "b");
        assertThat(names(List.of(folder.resolve("b"), folder))).containsExactly("b", "a");
        assertThat(names(List.of(folder.resolve("a")))).containsExactly("wrn-16-2 <cifar10>");
        assertThat(names(List.of(folder.resolve("notes")))).isEmpty();
    }

    @Test
    void newsAreNoticedAndNothingElse() throws IOException {
        var runs = new WatchedRuns(List.of(folder));
        assertThat(runs.poll()).isFalse();
        try (var run = SampleRun.begin(folder.resolve("a"))) {
            assertThat(runs.poll()).isTrue();
            assertThat(runs.poll()).isFalse();
            run.steps(10);
            assertThat(runs.poll()).isTrue();
            assertThat(runs.poll()).isFalse();
            run.status("done");
            assertThat(runs.poll()).isTrue();
        }
        assertThat(runs.snapshots().get(0).history().steps()).hasSize(5);
    }

    @Test
    void aResumedRunLosesWhatItDoesAgain() throws IOException {
        try (var run = SampleRun.begin(folder.resolve("a"))) {
            run.steps(100);
        }
        var runs = new WatchedRuns(List.of(folder));
        runs.poll();
        try (var run = SampleRun.resume(folder.resolve("a"), 50)) {
            run.steps(10);
        }
        assertThat(runs.poll()).isTrue();
        assertThat(runs.snapshots().get(0).history().steps()).hasSize(30);
    }

    @Test
    void aRunThatCannotBeReadDoesNotHideTheOthers() throws IOException {
        SampleRun.begin(folder.resolve("a")).close();
        Files.delete(folder.resolve("a").resolve("metrics.jsonl"));
        Files.createDirectory(folder.resolve("a").resolve("metrics.jsonl"));
        try (var run = SampleRun.begin(folder.resolve("b"))) {
            run.steps(10);
        }
        var runs = new WatchedRuns(List.of(folder));
        assertThat(runs.poll()).isTrue();
        assertThat(runs.snapshots()).hasSize(2);
        assertThat(runs.snapshots().get(1).history().steps()).hasSize(5);
    }

    /** To open one for reading would wait for a writer, for ever. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such files")
    void aPipeInPlaceOfAFileIsNotWaitedFor() throws Exception {
        for (String name : List.of("metrics.jsonl", "run.json", "recipe.yaml")) {
            Path run = folder.resolve("a " + name);
            SampleRun.begin(run).close();
            Files.deleteIfExists(run.resolve(name));
            assertThat(new ProcessBuilder("mkfifo", run.resolve(name).toString())
                            .start()
                            .waitFor())
                    .isZero();
        }
        try (var run = SampleRun.begin(folder.resolve("b"))) {
            run.steps(10);
        }
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            var runs = new WatchedRuns(List.of(folder));
            assertThat(runs.poll()).isTrue();
            assertThat(runs.snapshots()).hasSize(4);
            assertThat(runs.snapshots().get(3).history().steps()).hasSize(5);
            RunReport.write(folder.resolve("a run.json"));
            RunReport.write(folder.resolve("a recipe.yaml"));
            assertThatThrownBy(() -> RunReport.write(folder.resolve("a metrics.jsonl")))
                    .hasMessageEndingWith("metrics.jsonl is not a plain file: move away what is there");
        });
    }

    @Test
    void runsBeyondThe32ndAreLeftOutAndThatIsSaid() throws IOException {
        for (int i = 0; i < 33; i++) {
            SampleRun.begin(folder.resolve("run-" + i)).close();
        }
        var runs = new WatchedRuns(List.of(folder));
        runs.poll();
        assertThat(runs.snapshots()).hasSize(WatchedRuns.MOST_RUNS);
        assertThat(runs.tooMany()).isTrue();
    }

    private static List<String> names(List<Path> directories) throws IOException {
        var runs = new WatchedRuns(directories);
        runs.poll();
        return runs.snapshots().stream().map(RunSnapshot::name).toList();
    }
}
