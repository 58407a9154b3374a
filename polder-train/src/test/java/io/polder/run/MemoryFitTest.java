package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.files.Machine;
import io.polder.models.Architectures;
import io.polder.recipe.Recipe;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFitTest {
    private static final long MB = 1 << 20;
    private static final Recipe RECIPE = TinyRun.recipe("microBatch=auto", "data.batch=64");

    @TempDir
    private Path directory;

    @Test
    void asFewPartsAsFitAndThoseOfOneSize() {
        assertThat(MemoryFit.fitting(256, 1000, 100_000)).isEqualTo(86);
        assertThat(MemoryFit.fitting(256, 1000, 10)).isEqualTo(1);
        assertThat(MemoryFit.fitting(256, 1000, 256_000)).isEqualTo(256);
        assertThat(MemoryFit.fitting(256, 1000, -1)).isEqualTo(1);
    }

    @Test
    void afterAKillItIsAtMostHalf() {
        assertThat(MemoryFit.smaller(512, 512)).isEqualTo(256);
        assertThat(MemoryFit.smaller(512, 86)).isEqualTo(86);
        assertThat(MemoryFit.smaller(3, 3)).isEqualTo(2);
    }

    @Test
    void theLimitOfAContainerCountsNotTheMemoryOfTheMachine() throws IOException {
        assertThat(chosenIn(8192 * MB)).isEqualTo(64);
        assertThat(chosenIn(MB)).as("the weights alone take more").isEqualTo(1);
    }

    /** On a machine with 8 GB, in a container that has so much left. */
    private int chosenIn(long left) throws IOException {
        write("proc/meminfo", "MemAvailable: 8388608 kB\n");
        write("proc/self/cgroup", "0::/\n");
        write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n");
        write("sys/fs/cgroup/memory.max", left + 100 * MB + "\n");
        write("sys/fs/cgroup/memory.current", 100 * MB + "\n");
        write("sys/fs/cgroup/memory.stat", "inactive_file 0\nactive_file 0\n");
        try (var images = Assembly.images(RECIPE, RECIPE.data().evaluateOn(), Optional.empty(), new RandomStreams(0));
                var scope = Scope.open()) {
            long parameters = Architectures.named("resnet-small")
                    .build(1, 28, 10, new RandomStreams(0))
                    .parameterCount();
            return MemoryFit.microBatch(RECIPE, null, images.splits().evaluation(), parameters, new Machine(directory));
        }
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void aRunThatWasKilledBeforeItsFirstStepGoesOnWithASmallerChoiceAndSaysSo() throws IOException {
        Path run = directory.resolve("run");
        RunInfo begun = TrainingRun.start(RECIPE, run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(0));
        assertThat(begun.microBatch()).isEqualTo(64);
        for (int expected : new int[] {32, 16}) {
            pretendItWasKilled(run);
            var observer = new TinyRun.Observer().stoppingAfter(0);
            TrainingRun.resume(run, TinyRun.SETTINGS, observer);
            assertThat(new RunDirectory(run).info().microBatch()).isEqualTo(expected);
            assertThat(observer.warnings)
                    .singleElement()
                    .asString()
                    .startsWith("the run was killed before anything was saved of its training, with " + 2 * expected
                            + " images at a time, so it goes on with " + expected + ": ");
        }
        var observer = new TinyRun.Observer();
        RunInfo done = TrainingRun.resume(run, TinyRun.SETTINGS, observer);
        assertThat(done.microBatch()).as("after a stop it stays").isEqualTo(16);
        assertThat(done.status()).isEqualTo(RunInfo.Status.done);
        assertThat(observer.warnings).isEmpty();
    }

    /** A later step, or the evaluation, may want more memory than the first. */
    @Test
    void soDoesOneThatWasKilledAfterAStepOfWhichNothingWasSaved() throws IOException {
        Path run = directory.resolve("run");
        TrainingRun.start(RECIPE, run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(1));
        pretendItWasKilled(run);
        // As if it had been killed after that step, with nothing but the first weights saved.
        try (var checkpoints = Files.newDirectoryStream(run.resolve("checkpoints"), "step-000000001-*")) {
            for (Path checkpoint : checkpoints) {
                try (var files = Files.walk(checkpoint)) {
                    for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(path);
                    }
                }
            }
        }
        var observer = new TinyRun.Observer();
        assertThat(TrainingRun.resume(run, TinyRun.SETTINGS, observer).microBatch())
                .isEqualTo(32);
        assertThat(observer.steps).startsWith(0L);
        assertThat(observer.warnings).singleElement().asString().contains("with 64 images at a time");
    }

    @Test
    void aChoiceThatACheckpointHasProvedIsKept() throws IOException {
        Path run = directory.resolve("run");
        TrainingRun.start(RECIPE, run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(1));
        pretendItWasKilled(run);
        var observer = new TinyRun.Observer();
        assertThat(TrainingRun.resume(run, TinyRun.SETTINGS, observer).microBatch())
                .isEqualTo(64);
        assertThat(observer.warnings).isEmpty();
    }

    private static void pretendItWasKilled(Path run) throws IOException {
        var directory = new RunDirectory(run);
        RunInfo stopped = directory.info();
        stopped.with(RunInfo.Status.running, stopped.result()).write(directory.infoFile());
    }
}
