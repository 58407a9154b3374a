package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several workers from the command line: real processes, of which some are killed or made to hang. */
class WorkersCommandTest {
    @TempDir
    private Path directory;

    private Path recipe;
    private Path run;

    @BeforeEach
    void writeRecipe() throws IOException {
        run = directory.resolve("run");
        recipe = Files.writeString(directory.resolve("tiny.yaml"), """
                name: tiny
                steps: 300
                model: { name: resnet-small }
                data: { name: fashion-mnist-2000, augment: basic, batch: 8, images: 400, evaluateOn: validation, validation: 100 }
                scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.7 }
                optimizer: { name: sgd, l2: 1.0e-3 }
                learningRate: { schedule: cosine, base: 0.02 }
                checkpoint: { everySteps: 20 }
                """);
    }

    private String[] training(Path out, String... more) {
        List<String> words =
                new ArrayList<>(List.of("train", recipe.toString(), "--out", out.toString(), "--threads", "2"));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private PolderProcess start(String... arguments) throws IOException {
        return PolderProcess.start(directory, List.of(), arguments);
    }

    private static PolderProcess.Outcome assertSucceeds(PolderProcess.Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome;
    }

    private byte[] exported(Path of) throws Exception {
        Path file = directory.resolve("exported.safetensors");
        assertSucceeds(PolderProcess.here("export", of.toString(), file.toString(), "--checkpoint", "newest"));
        return Files.readAllBytes(file);
    }

    /** The weights of two replicas that nobody disturbed. */
    private byte[] undisturbed() throws Exception {
        Path whole = directory.resolve("whole");
        assertSucceeds(PolderProcess.here(training(whole, "-s", "replicas=2")));
        return exported(whole);
    }

    /** Waits until some steps are done, then finds the process of rank 1. */
    private ProcessHandle rankOneInTraining(PolderProcess polder) throws Exception {
        Path metrics = run.resolve("metrics.jsonl");
        for (int i = 0; i < 6000 && polder.process().isAlive(); i++) {
            if (Files.exists(metrics) && Files.readString(metrics).contains("\"step\"")) {
                break;
            }
            Thread.sleep(20);
        }
        return polder.process()
                .descendants()
                .filter(child -> isRankOne(child))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no rank 1"));
    }

    private static boolean isRankOne(ProcessHandle process) {
        try {
            String environment = Files.readString(Path.of("/proc", Long.toString(process.pid()), "environ"));
            return List.of(environment.split("\0")).contains("RANK=1");
        } catch (IOException e) {
            return false;
        }
    }

    private static void signal(String name, ProcessHandle process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Tag("slow")
    @Test
    void twoProcessesAreTwoReplicasToTheBitAndPrintWhatOneWould() throws Exception {
        var outcome =
                assertSucceeds(start(training(run, "--workers", "2", "--json")).outcome());
        assertThat(outcome.output().lines()).hasSize(7).allMatch(line -> line.startsWith("{"));
        assertThat(exported(run)).isEqualTo(undisturbed());
    }

    /** PyPI's, of the Python that the variable {@code POLDER_PYTHON} names. */
    @Tag("slow")
    @Test
    void twoWorkersOfTorchrunAreTwoReplicasToTheBit() throws Exception {
        Path torchrun = Path.of(System.getenv().getOrDefault("POLDER_PYTHON", "python3"))
                .resolveSibling("torchrun");
        assumeTrue(
                Files.isExecutable(torchrun),
                torchrun + " is not there: pip install torch==2.10.0, and set POLDER_PYTHON to the python beside it");
        var started = PolderProcess.start(
                directory,
                List.of(torchrun.toString(), "--standalone", "--nproc-per-node", "2", "--no-python"),
                List.of(),
                training(run));
        assertSucceeds(started.outcome());
        assertThat(new RunDirectory(run).info().status()).isEqualTo(RunInfo.Status.done);
        assertThat(exported(run)).isEqualTo(undisturbed());
    }

    @Tag("slow")
    @Test
    void aKilledWorkerEndsTheOthersAndTheRunGoesOn() throws Exception {
        var polder = start(training(run, "--workers", "2"));
        signal("KILL", rankOneInTraining(polder));
        var outcome = polder.outcome();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .contains(
                        "polder: rank 0 of 2 lost rank 1 in ",
                        "polder: rank 1 was ended by signal 9, so the others end");
        assertSucceeds(start("resume", run.toString(), "--workers", "2").outcome());
        assertThat(exported(run)).isEqualTo(undisturbed());
    }

    @Tag("slow")
    @Test
    void aWorkerThatHangsIsGivenUpAndTheLauncherStartsAgain() throws Exception {
        var polder = start(training(run, "--workers", "2", "--worker-timeout", "3", "--restarts", "1"));
        signal("STOP", rankOneInTraining(polder));
        var outcome = assertSucceeds(polder.outcome());
        assertThat(outcome.errors())
                .contains("polder: rank 0 of 2 lost rank 1 in ", "polder: starting the workers again, 1 time at most");
        assertThat(exported(run)).isEqualTo(undisturbed());
    }

    @Test
    @Tag("slow")
    void aSignalSavesTheRunOfAllWorkers() throws Exception {
        var polder = start(training(run, "--workers", "2"));
        rankOneInTraining(polder);
        signal("TERM", polder.process().toHandle());
        var outcome = polder.outcome();
        assertThat(outcome.exitCode()).isEqualTo(143);
        assertThat(outcome.output()).contains("Stopped. Go on with: ./polder resume");
        assertSucceeds(start("resume", run.toString()).outcome()); // by threads: the recipe has the replicas
        assertThat(exported(run)).isEqualTo(undisturbed());
    }

    @Test
    void mistakesAreToldBeforeAnythingIsStarted() {
        assertRefused(2, "--workers is 0: it must be 1 to 4096", training(run, "--workers", "0"));
        assertRefused(
                2, "--restarts is 2: it must be at least 0, and goes with --workers", training(run, "--restarts", "2"));
        assertRefused(
                2,
                "replicas: is 3 and data.batch is 8; the batch must be a multiple of the replicas",
                training(run, "--workers", "3"));
        assertRefused(2, "--executor is spork: there is none of that name here", training(run, "--executor", "spork"));
        assertRefused(2, "--master is for --executor spark", training(run, "--master", "local[2]"));
        assertRefused(2, "--store is for --executor spark", training(run, "--store", "hdfs://host/run"));
        assertRefused(
                2,
                "--data is hdfs://host/images: only nodes of --executor spark reach such places",
                training(run, "--data", "hdfs://host/images"));
        assertThat(run).doesNotExist();
    }

    private static void assertRefused(int code, String sentence, String... arguments) {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.errors()).contains(sentence);
        assertThat(outcome.exitCode()).isEqualTo(code);
    }
}
