package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training from the command line: real processes, real signals, real files. */
class TrainCommandTest {
    private static final long SEED = 20220717;

    @TempDir
    private Path directory;

    private Path recipe;
    private Path run;

    @BeforeEach
    void writeRecipe() throws IOException {
        run = directory.resolve("run");
        recipe = Files.writeString(directory.resolve("tiny.yaml"), """
                name: tiny
                steps: 600
                model: { name: resnet-small }
                data: { name: fashion-mnist-2000, augment: basic, batch: 8, images: 400, evaluateOn: validation, validation: 100 }
                scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.7 }
                optimizer: { name: sgd, l2: 1.0e-3 }
                learningRate: { schedule: cosine, base: 0.02 }
                average: { decay: 0.99 }
                checkpoint: { everySteps: 7 }
                """);
    }

    @Tag("slow")
    @Test
    void killedTwentyTimesARunEndsWithTheWeightsOfOneThatWasNot() throws Exception {
        Path whole = directory.resolve("whole");
        assertSucceeds(train(whole));

        var random = new SplittableRandom(SEED);
        int inTraining = 0;
        for (int kill = 0; kill < 20; kill++) {
            var polder = Files.exists(run.resolve("run.json"))
                    ? start("resume", run.toString(), "--json")
                    : start(training(run, "--json"));
            if (kill % 5 == 4) { // while it starts
                Thread.sleep(random.nextInt(1500));
            } else {
                long before = Files.exists(metrics()) ? Files.size(metrics()) : 0;
                for (int i = 0; i < 2000 && polder.process().isAlive() && sizeOfMetrics() == before; i++) {
                    Thread.sleep(20);
                }
                Thread.sleep(random.nextInt(300));
                inTraining++;
            }
            assertThat(polder.process().isAlive() || isDone())
                    .as("seed %d, kill %d: %s", SEED, kill, Files.readString(polder.errors()))
                    .isTrue();
            polder.process().destroyForcibly().waitFor();
        }
        assertThat(inTraining).isEqualTo(16);
        assertSucceeds(PolderProcess.run(directory, "resume", run.toString()));

        assertThat(exported(run)).as("seed %d", SEED).isEqualTo(exported(whole));
        assertThat(epochs(run)).isEqualTo(epochs(whole));
    }

    @Test
    @Tag("slow")
    void aSignalSavesTheRunAndPrintsHowToGoOn() throws Exception {
        for (String signal : List.of("INT", "TERM")) {
            run = directory.resolve("it's " + signal);
            var polder = start(training(run, "-s", "steps=1000000", "-s", "checkpoint.everySteps=null"));
            polder.awaitErrors("epoch ");
            new ProcessBuilder("kill", "-" + signal, "" + polder.process().pid())
                    .start()
                    .waitFor();
            var outcome = polder.outcome();
            assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(signal.equals("INT") ? 130 : 143);
            assertThat(outcome.output())
                    .contains("Go on with: ./polder resume '" + directory + "/it'\\''s " + signal + "'\n");
            assertThat(status()).isEqualTo("stopped");
            assertThat(run.resolve("report.html")).exists();
        }
    }

    @Test
    void aSecondProcessOnARunIsRefused() throws Exception {
        var first = start(training(run, "-s", "steps=1000000"));
        first.awaitErrors("epoch ");
        var second = PolderProcess.run(directory, "resume", run.toString());
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.errors())
                .startsWith("polder: " + run + " is in use by process "
                        + first.process().pid());
        assertThat(second.errors().lines()).hasSize(1);
        first.process().destroyForcibly().waitFor();
    }

    @Test
    void divergenceEndsWithExitCode1AndASentence() throws Exception {
        var outcome = train(run, "-s", "learningRate.base=1.0e30");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .contains("polder: the training diverged at step")
                .contains("try ");
        assertThat(status()).isEqualTo("diverged");
        assertThat(run.resolve("report.html")).content().contains("diverged");
    }

    @Test
    void mistakesInARecipeAreAllToldAndNothingIsMade() throws Exception {
        Files.writeString(
                recipe,
                Files.readString(recipe)
                        .replace("momentum", "")
                        .replace("batch: 8", "bach: 8")
                        .replace("r: 0.05", "r: -1"));
        var outcome = PolderProcess.here("train", recipe.toString(), "--out", run.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors())
                .contains("tiny.yaml:")
                .contains("bach")
                .contains("batch")
                .contains("scheme.r");
        assertThat(run).doesNotExist();
        var unknown = PolderProcess.here("train", "wrn-28-10-cifar1O", "--out", run.toString());
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.errors()).contains("wrn-28-10-cifar10");
    }

    @Test
    void aTrainedNetworkIsEvaluatedExportedAndAskedAboutPictures() throws Exception {
        var trained = train(run, "-s", "steps=60");
        assertSucceeds(trained);
        assertThat(trained.errors())
                .contains("tiny: 77,562 parameters")
                .contains("epoch 1/2")
                .doesNotContain("\u001b");
        assertThat(trained.output()).contains("validation error").contains("Report: " + run.resolve("report.html"));
        for (String file : List.of("recipe.yaml", "run.json", "metrics.jsonl", "report.html")) {
            assertThat(run.resolve(file)).isNotEmptyFile();
        }

        JsonNode evaluation = new ObjectMapper()
                .readTree(assertSucceeds(
                                PolderProcess.here("evaluate", run.toString(), "--checkpoint", "newest", "--json"))
                        .output());
        JsonNode result =
                new ObjectMapper().readTree(run.resolve("run.json").toFile()).get("result");
        assertThat(evaluation.get("error").asDouble())
                .isEqualTo(result.get("error").asDouble());
        assertThat(evaluation.get("images").asInt()).isEqualTo(100);
        assertThat(PolderProcess.here("evaluate", run.toString(), "--on", "test")
                        .output())
                .startsWith("test error ")
                .contains("on 10,000 images");

        Path picture = directory.resolve("picture.png");
        ImageIO.write(new BufferedImage(40, 60, BufferedImage.TYPE_INT_RGB), "png", picture.toFile());
        var guesses = assertSucceeds(
                PolderProcess.here("predict", run.toString(), picture.toString(), "--top", "10", "--json"));
        double sum = 0;
        for (JsonNode guess : new ObjectMapper().readTree(guesses.output()).get("guesses")) {
            sum += guess.get("probability").asDouble();
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
        assertThat(PolderProcess.here("predict", run.toString(), recipe.toString())
                        .errors())
                .startsWith("polder: " + recipe)
                .hasLineCount(1);
        assertThat(exported(run)).isNotEmpty();
        assertThat(PolderProcess.here(
                                "export",
                                run.toString(),
                                directory.resolve("weights").toString())
                        .errors())
                .contains("end it in .safetensors");
    }

    @Test
    void oneEpochOfOneStepIsToldInTheSingular() throws Exception {
        var outcome = assertSucceeds(train(run, "-s", "steps=1", "-s", "data.batch=400"));
        assertThat(outcome.errors()).contains("1 epoch of 1 step, 1 thread\n");
    }

    @Test
    void forProgramsEachEpochAndTheEndAreOneObjectALine() throws Exception {
        var outcome = assertSucceeds(train(run, "--json", "-s", "steps=100"));
        var json = new ObjectMapper();
        List<String> lines = outcome.output().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(json.readTree(lines.get(0)).get("kind").asText()).isEqualTo("epoch");
        assertThat(json.readTree(lines.get(2)).get("status").asText()).isEqualTo("done");
    }

    @Test
    void aRefusedStartIsOneSentenceAndLeavesNothing() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "in the way");
        assertRefused(1, "cannot write to the directory " + file, "train", recipe.toString(), "--out", file.toString());
        assertThat(file).hasContent("in the way");
        assertRefused(
                1,
                "scheme.syncPerturbation is true and the first gradient is that of a part of the batch only",
                "train",
                recipe.toString(),
                "--out",
                run.toString(),
                "-s",
                "replicas=2",
                "-s",
                "scheme.syncPerturbation=true",
                "-s",
                "scheme.ascentShare=0.5");
        assertRefused(
                1,
                "nowhere",
                "train",
                recipe.toString(),
                "--out",
                run.toString(),
                "-s",
                "data.name=mnist",
                "--data",
                directory.resolve("nowhere").toString());
        assertThat(run).doesNotExist();
        assertRefused(2, "threads is 0", "train", recipe.toString(), "--out", run.toString(), "--threads", "0");
        assertRefused(1, "holds no run", "resume", run.toString());
        assertRefused(1, "holds no run", "evaluate", run.toString());
        assertRefused(2, "threads is 0", "evaluate", run.toString(), "--threads", "0");
        String none = "device \"cuda:99\" is not there";
        assertRefused(2, none, "train", recipe.toString(), "--out", run.toString(), "--device", "cuda:99");
        assertRefused(2, none, "evaluate", run.toString(), "--device", "cuda:99");
        assertRefused(2, "top is 0", "predict", run.toString(), "picture.png", "--top", "0");
        assertThat(run).doesNotExist();
    }

    /** What a server that is there gets, {@code MlflowServerTest} says. */
    @Test
    void anMlflowServerThatIsAwayIsASentenceAndTheRunIsDone() throws Exception {
        var outcome = assertSucceeds(PolderProcess.here(
                training(run, "-s", "steps=20", "--mlflow", "http://127.0.0.1:1", "--mlflow-weights")));
        assertThat(outcome.errors())
                .containsOnlyOnce(
                        "the MLflow server at http://127.0.0.1:1 does not take what it is told (no connection)")
                .containsPattern("the MLflow server at http://127.0.0.1:1 lacks [1-9][0-9]* figures of this run");
        assertThat(isDone()).isTrue();
        assertRefused(2, "http://localhost:5000", "train", recipe.toString(), "--mlflow", "localhost");
        assertRefused(2, "--mlflow-weights is given without", "train", recipe.toString(), "--mlflow-weights");
    }

    @Test
    @Tag("slow")
    void aRunKilledInAnEvaluationGoesOnWithIt() throws Exception {
        // 10,000 images to evaluate on, and a checkpoint right before.
        var polder =
                start(training(run, "-s", "steps=50", "-s", "data.evaluateOn=test", "-s", "checkpoint.everySteps=50"));
        Path saved = run.resolve("checkpoints/step-000000050-save-2");
        for (int i = 0; i < 20_000 && polder.process().isAlive() && !Files.exists(saved); i++) {
            Thread.sleep(5);
        }
        polder.process().destroyForcibly().waitFor();
        assertThat(saved).exists();
        assertThat(epochs(run)).isEmpty();
        var resumed = assertSucceeds(PolderProcess.run(directory, "resume", run.toString(), "--json"));
        List<String> lines = resumed.output().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(new ObjectMapper().readTree(lines.get(0)).get("step").asInt())
                .isEqualTo(50);
        assertThat(epochs(run)).hasSize(1);
    }

    private void assertRefused(int exitCode, String sentence, String... arguments) {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(exitCode);
        assertThat(outcome.errors()).startsWith("polder: ").contains(sentence).hasLineCount(1);
        assertThat(outcome.output()).isEmpty();
    }

    private PolderProcess start(String... arguments) throws IOException {
        return PolderProcess.start(directory, List.of(), arguments);
    }

    private PolderProcess.Outcome train(Path out, String... more) throws Exception {
        return PolderProcess.run(directory, training(out, more));
    }

    private String[] training(Path out, String... more) {
        var train = Stream.of("train", recipe.toString(), "--out", out.toString(), "--threads", "1");
        return Stream.concat(train, Stream.of(more)).toArray(String[]::new);
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

    private Path metrics() {
        return run.resolve("metrics.jsonl");
    }

    private long sizeOfMetrics() throws IOException {
        return Files.exists(metrics()) ? Files.size(metrics()) : 0;
    }

    private boolean isDone() throws IOException {
        return status().equals("done");
    }

    private String status() throws IOException {
        return new ObjectMapper()
                .readTree(run.resolve("run.json").toFile())
                .get("status")
                .asText();
    }

    /** The records of epochs, but for time and speed. */
    private static List<String> epochs(Path run) throws IOException {
        List<String> epochs = new ArrayList<>();
        for (String line : Files.readAllLines(run.resolve("metrics.jsonl"))) {
            if (line.contains("\"kind\":\"epoch\"")) {
                epochs.add(line.replaceAll("\"(checksum|time|seconds|imagesPerSecond)\":[^,}]+", ""));
            }
        }
        return epochs;
    }
}
