package io.polder.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The two ways from a command line to a cluster. The nodes have Spark and nothing of Polder but what is sent to them. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SubmittedStudyIT {
    private static final Path POLDER = Path.of(System.getProperty("polder.home"));

    private static StandaloneCluster cluster;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        cluster = StandaloneCluster.start("submitted", 2, 1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private Path study(int epochs) throws IOException {
        return Files.writeString(folder.resolve("tiny.yaml"), """
                name: tiny
                base: quick-fashion
                set: { epochs: %d, data.images: 100, evaluateEvery: %d }
                methods: [standard]
                search: { kind: none }
                seeds: 2
                """.formatted(epochs, epochs));
    }

    private ProcessBuilder polder(Path study, String... more) {
        return polder("study", study.toString(), more);
    }

    private ProcessBuilder polder(String verb, String what, String... more) {
        List<String> words = new ArrayList<>();
        words.add(POLDER.resolve("polder").toString());
        words.addAll(List.of(verb, what, "--out", folder.resolve("out").toString()));
        words.addAll(List.of("--executor", "spark", "--master", cluster.master()));
        words.addAll(List.of(more));
        var command = new ProcessBuilder(words);
        command.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        command.environment()
                .put("POLDER_JAVA_OPTIONS", "-Dspark.executor.memory=512m -Dspark.polder.saveInterval=100ms");
        return command;
    }

    private void completes(ProcessBuilder command) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Process process =
                command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(Files.readString(log)).contains("Standard", "Test error");
        assertThat(new TrialStore(folder.resolve("out")).outcomes())
                .hasSize(2)
                .allSatisfy(outcome -> assertThat(outcome.status()).isEqualTo(TrialOutcome.Status.DONE));
    }

    @Test
    void sparkSubmitTakesOneJar() throws Exception {
        completes(cluster.command(
                "org.apache.spark.deploy.SparkSubmit",
                List.of(
                        "--master",
                        cluster.master(),
                        "--conf",
                        "spark.executor.memory=512m",
                        "--conf",
                        "spark.ui.enabled=false",
                        "--class",
                        StudyOnSpark.class.getName(),
                        POLDER.resolve("polder-spark/target/polder-spark.jar").toString(),
                        study(1).toString(),
                        "--out",
                        folder.resolve("out").toString())));
    }

    @Test
    void theCommandLineReachesACluster() throws Exception {
        completes(polder(study(1)));
    }

    @Test
    void aSignalEndsTheCommandAfterTheTrialsHaveSavedTheirState() throws Exception {
        stopAfter(() -> checkpoints() == 2, "the trials are saved", polder(study(10_000)));
        try (Stream<Path> trials = Files.list(folder.resolve("out/trials"))) {
            assertThat(trials.toList())
                    .hasSize(2)
                    .allSatisfy(trial -> assertThat(trial.resolve("run.json"))
                            .content()
                            .containsPattern("\"status\" *: *\"stopped\""));
        }
    }

    @Test
    void aSignalLeavesTheTrialsStateInAStoreElsewhere() throws Exception {
        Path remote = folder.resolve("remote");
        Path trials = remote.resolve("trials");
        stopAfter(
                () -> isThere(trials, 2, trial -> isThere(trial, 1, file -> true)),
                "the trials are saved",
                polder(study(10_000), "--store", remote.toUri().toString()));
        assertThat(folder.resolve("out/trials")).doesNotExist();
        try (RemoteTrials store = RemoteTrials.open(remote.toUri(), new Configuration())) {
            for (String id : trials.toFile().list()) {
                Path fetched = folder.resolve(id);
                assertThat(store.fetchSave(id, fetched)).isPresent();
                assertThat(fetched.resolve("run.json")).content().containsPattern("\"status\" *: *\"stopped\"");
            }
        }
    }

    @Test
    void aSignalSavesATrainingByTwoWorkers() throws Exception {
        Path out = folder.resolve("out");
        stopAfter(
                () -> isThere(out.resolve("checkpoints"), 2, step -> true),
                "Stopped. Go on with: ./polder resume " + out,
                polder("train", "quick-fashion", "-s", "data.images=100", "-s", "epochs=10000", "--workers", "2"));
        assertThat(out.resolve("run.json")).content().containsPattern("\"status\" *: *\"stopped\"");
    }

    private static boolean isThere(Path directory, int least, Predicate<Path> which) {
        File[] files = directory.toFile().listFiles();
        return files != null && Stream.of(files).map(File::toPath).filter(which).count() >= least;
    }

    private void stopAfter(BooleanSupplier moment, String lastWord, ProcessBuilder command)
            throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Process process =
                command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            while (!moment.getAsBoolean()) {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                Thread.sleep(50);
            }
            process.destroy();
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(log)).contains(lastWord);
    }

    private int checkpoints() {
        int number = 0;
        File[] trials = folder.resolve("out/trials").toFile().listFiles();
        for (File trial : trials == null ? new File[0] : trials) {
            String[] names = new File(trial, "checkpoints").list();
            number += names != null && names.length > 0 ? 1 : 0;
        }
        return number;
    }
}
