package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.polder.recipe.Recipe;
import io.polder.recipe.Recipes;
import io.polder.study.results.StudyResult;
import io.polder.study.trial.LocalExecutor;
import io.polder.study.trial.StubTrial;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialProcess;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** On a real file system of 16 MB, which only the process under test and its trials can see. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has private mounts")
@Timeout(300)
class StudyOnAFullDiskTest {
    @TempDir
    private Path folder;

    @Test
    void aStudyOnAFullDiskStopsAndGoesOnWhenThereIsRoom() throws Exception {
        assertThat(onSmallDisk(Coordinator.class))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("the study has stopped, as a trial cannot be saved: ")
                                .endsWith("; the same command goes on with what is saved"),
                        line -> assertThat(line).isEqualTo("failed: 0"),
                        line -> assertThat(line).isEqualTo("complete: true, failed: 0"));
    }

    @Test
    void aTrialThatCannotBeSavedDoesNotTrainToItsEnd() throws Exception {
        assertThat(onSmallDisk(OneTrial.class))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("UNSAVED: ").contains("make room"),
                        line -> assertThat(line).isEqualTo("trained to its end: false"),
                        line -> assertThat(line).isEqualTo("FINISHED, epochs: " + OneTrial.EPOCHS));
    }

    private List<String> onSmallDisk(Class<?> program) throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(start(disk, List.of("true")).waitFor() == 0, "this machine lets nobody mount a file system");
        Process process = start(
                disk,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        disk.toString()));
        try (var output = process.inputReader()) {
            return output.lines().toList();
        }
    }

    private static Process start(Path disk, List<String> command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "unshare",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=16m none \"$0\" && exec \"$@\""));
        words.add(disk.toString());
        words.addAll(command);
        return new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** To the last byte. */
    private static void fill(Path disk) {
        try (var filler = Files.newOutputStream(filler(disk))) {
            while (true) {
                filler.write(new byte[1 << 12]);
            }
        } catch (IOException e) {
            // It is full.
        }
    }

    private static Path filler(Path disk) {
        return disk.resolve("filler");
    }

    /** A study whose disk is full as soon as its first trial has ended. */
    public static final class Coordinator {
        public static void main(String[] arguments) throws IOException {
            Path disk = Path.of(arguments[0]);
            try {
                run(disk, new StudyWatcher() {
                    @Override
                    public void ended(Trial trial, TrialOutcome outcome) {
                        fill(disk);
                    }
                });
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
            System.out.println("failed: "
                    + new TrialStore(disk)
                            .outcomes().stream()
                                    .filter(outcome -> outcome.status() == TrialOutcome.Status.FAILED)
                                    .count());
            Files.delete(filler(disk));
            StudyResult result = run(disk, new StudyWatcher() {});
            System.out.println("complete: " + result.isComplete() + ", failed: "
                    + result.failures().size());
        }

        private static StudyResult run(Path store, StudyWatcher watcher) throws IOException {
            Study study = StudyTexts.study("seeds: 1\n");
            try (var executor = new LocalExecutor(StubTrial.command(), 1, 1)) {
                return new StudyRun(study, new TrialStore(store), executor, Optional.empty(), watcher).run();
            }
        }
    }

    /** A trial that trains a network, whose disk is full after its first epoch. */
    public static final class OneTrial {
        static final int EPOCHS = 12;

        public static void main(String[] arguments) throws Exception {
            Path disk = Path.of(arguments[0]);
            Recipe recipe = Recipes.read(
                    "quick-fashion",
                    List.of(
                            "epochs=" + EPOCHS,
                            "data.images=64",
                            "data.evaluateOn=validation",
                            "data.validation=64",
                            "evaluateEvery=1"));
            var task = new TrialTask(recipe.hash(), recipe.toYaml(), disk.toString(), "", "", 1, "cpu", 1);
            Path metrics = task.directory().resolve("metrics.jsonl");
            try (var process = TrialProcess.start(task, TrialCommand.likeThisProcess())) {
                while (ProcessHandle.of(process.pid()).isPresent() && epochs(metrics) < 1) {
                    Thread.sleep(5);
                }
                fill(disk);
                TrialEnd end = process.waitFor();
                System.out.println(end.kind() + ": " + end.detail());
                System.out.println("trained to its end: " + (epochs(metrics) == EPOCHS));
            }
            Files.delete(filler(disk));
            try (var process = TrialProcess.start(task, TrialCommand.likeThisProcess())) {
                TrialEnd end = process.waitFor();
                int epochs = new TrialStore(disk)
                        .outcome(task.id())
                        .map(TrialOutcome::epochs)
                        .orElse(0);
                System.out.println(end.kind() + ", epochs: " + epochs);
            }
        }

        private static long epochs(Path metrics) throws IOException {
            return Files.exists(metrics)
                    ? Files.readString(metrics)
                            .lines()
                            .filter(line -> line.contains("\"kind\":\"epoch\""))
                            .count()
                    : 0;
        }
    }
}
