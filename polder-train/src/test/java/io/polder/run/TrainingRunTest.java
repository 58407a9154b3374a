package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.checkpoint.Checkpoint;
import io.polder.checkpoint.CheckpointStore;
import io.polder.metrics.MetricsHistory;
import io.polder.models.Architectures;
import io.polder.nn.Weights;
import io.polder.recipe.ModelRecipe;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.run.TinyRun.Observer;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import io.polder.train.DivergedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingRunTest {
    /** 10 steps an epoch; evaluated on 200 images that are not trained on. */
    private static final String RECIPE = """
            name: tiny
            seed: 4
            epochs: 3
            model: { name: wrn-10-1 }
            data: { name: fashion-mnist-2000, augment: basic, mix: { name: cutmix }, batch: 32, images: 320, evaluateOn: validation, validation: 200 }
            scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.7 }
            optimizer: { name: sgd, l2: 1.0e-3, clip: 5.0 }
            learningRate: { schedule: cosine, base: 0.05 }
            checkpoint: { everySteps: 4 }
            """;

    @TempDir
    private Path directory;

    @Test
    void aStoppedAndResumedRunEndsWithTheSameWeightsAndRecordsAsAWholeOne() throws IOException {
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        RunInfo expected = TrainingRun.start(recipe(), whole, SETTINGS, new Observer());
        assertThat(expected.status()).isEqualTo(RunInfo.Status.done);
        assertThat(expected.result().epochs()).isEqualTo(3);
        assertThat(expected.images().classNames()).hasSize(10).contains("sneaker");

        RunInfo stopped = TrainingRun.start(recipe(), parts, SETTINGS, new Observer().stoppingAfter(13));
        assertThat(stopped.status()).isEqualTo(RunInfo.Status.stopped);
        RunInfo resumed = TrainingRun.resume(parts, SETTINGS, new Observer());
        assertThat(resumed.status()).isEqualTo(RunInfo.Status.done);

        assertThat(resumed.result().figures()).isEqualTo(expected.result().figures());
        assertSameWeights(parts, whole);
        assertThat(MetricsHistory.read(parts.resolve("metrics.jsonl")).epochs())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields(
                        "time", "metrics.seconds", "metrics.imagesPerSecond")
                .isEqualTo(MetricsHistory.read(whole.resolve("metrics.jsonl")).epochs());
    }

    @Test
    void aRunThatIsDoneIsNotTrainedAgain() throws IOException {
        TrainingRun.start(recipe("epochs=1"), directory, SETTINGS, new Observer());
        var observer = new Observer();
        assertThat(TrainingRun.resume(directory, SETTINGS, observer).status()).isEqualTo(RunInfo.Status.done);
        assertThat(observer.steps).isEmpty();
    }

    @Test
    void aDirectoryThatHoldsARunIsRefusedAndNamesTheWayOut() throws IOException {
        TrainingRun.start(recipe("epochs=1"), directory, SETTINGS, new Observer().stoppingAfter(2));
        assertThatThrownBy(() -> TrainingRun.start(recipe(), directory, SETTINGS, new Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds a run already")
                .hasMessageContaining("./polder resume");
        assertThatThrownBy(() -> TrainingRun.resume(directory.resolve("nothing"), SETTINGS, new Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds no run");
    }

    @Test
    void aDamagedNewestCheckpointIsNamedAndTheOneBeforeItUsed() throws IOException {
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        TrainingRun.start(recipe(), whole, SETTINGS, new Observer());
        TrainingRun.start(recipe(), parts, SETTINGS, new Observer().stoppingAfter(13));
        Path newest = weights(parts);
        byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(newest, bytes);

        var observer = new Observer();
        TrainingRun.resume(parts, SETTINGS, observer);
        assertThat(observer.warnings)
                .anyMatch(warning ->
                        warning.contains(newest.getParent().getFileName().toString()));
        assertThat(observer.steps.get(0)).isEqualTo(12);
        assertSameWeights(parts, whole);
    }

    @Test
    void aDivergedRunEndsAsSuchAndKeepsItsLastCheckpoint() throws IOException {
        assertThatThrownBy(() -> TrainingRun.start(
                        recipe("learningRate.base=1.0e30", "optimizer.clip=null"), directory, SETTINGS, new Observer()))
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("diverged at step");
        var run = new RunDirectory(directory);
        assertThat(run.info().status()).isEqualTo(RunInfo.Status.diverged);
        assertThat(run.checkpoint(RunDirectory.Which.NEWEST, System.err::println)
                        .step())
                .isZero();
        assertThat(Files.readString(directory.resolve("metrics.jsonl"))).contains("diverged");
    }

    @Test
    void restoreGoesBackWithASmallerLearningRateAtMostSoManyTimes() throws IOException {
        var overrides = new String[] {
            "learningRate.base=1.0e30",
            "optimizer.clip=null",
            "onDivergence.action=restore",
            "onDivergence.restarts=2",
            "onDivergence.learningRateFactor=1.0e-16"
        };
        Path calm = directory.resolve("calm");
        var observer = new Observer();
        RunInfo info = TrainingRun.start(recipe(overrides), calm, SETTINGS, observer);
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(info.result().restarts()).isEqualTo(2);
        assertThat(observer.warnings).anyMatch(warning -> warning.contains("going back to step 0"));

        overrides[4] = "onDivergence.learningRateFactor=0.5";
        assertThatThrownBy(
                        () -> TrainingRun.start(recipe(overrides), directory.resolve("wild"), SETTINGS, new Observer()))
                .isInstanceOf(DivergedException.class);
    }

    /** A step that is far too long leaves weights that are finite, are saved, and have no finite loss. */
    @Test
    void restoreGoesBackPastACheckpointOfTheVeryStateThatDiverged() throws IOException {
        var observer = new Observer();
        RunInfo info = TrainingRun.start(
                recipe(
                        "learningRate.base=1.0e16",
                        "optimizer.clip=null",
                        "checkpoint.everySteps=1",
                        "onDivergence.action=restore",
                        "onDivergence.restarts=1",
                        "onDivergence.learningRateFactor=1.0e-18"),
                directory,
                SETTINGS,
                observer);
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(observer.warnings)
                .singleElement()
                .asString()
                .contains("diverged at step 1")
                .contains("going back to step 0");
    }

    @Test
    void restoreGoesBackPastCheckpointsWithNumbersThatAreNotFinite() throws IOException {
        var restoring = recipe("checkpoint.everySteps=1", "checkpoint.keep=9", "onDivergence.action=restore");
        TrainingRun.start(restoring, directory, SETTINGS, new Observer().stoppingAfter(3));
        saveRuined(2, "norm.running_var", "head.weight");
        var observer = new Observer();
        RunInfo info = TrainingRun.resume(directory, SETTINGS, observer);
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(observer.steps.get(0)).isEqualTo(1);
        assertThat(observer.warnings)
                .anyMatch(warning -> warning.contains("step-000000002") && warning.contains("not finite"))
                .anyMatch(warning -> warning.contains("diverged at step 3") && warning.contains("back to step 1"));
    }

    @Test
    void restoreSaysThatThereIsNoGoodCheckpointToGoBackTo() throws IOException {
        var restoring = recipe("checkpoint.everySteps=1", "onDivergence.action=restore");
        TrainingRun.start(restoring, directory, SETTINGS, new Observer().stoppingAfter(1));
        saveRuined(0, "norm.running_mean", "head.weight");
        var observer = new Observer();
        assertThatThrownBy(() -> TrainingRun.resume(directory, SETTINGS, observer))
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("diverged at step 1");
        assertThat(observer.warnings).anyMatch(warning -> warning.contains("no good checkpoint of before step 1"));
        assertThat(new RunDirectory(directory).info().status()).isEqualTo(RunInfo.Status.diverged);
    }

    /**
     * Saves two checkpoints of the run once more, one after the other, but for one tensor of each, which becomes infinite. Their steps
     * follow one another; with the first of the new ones the store forgets the second of the old.
     */
    private void saveRuined(long first, String tensorOfFirst, String tensorOfSecond) throws IOException {
        Path checkpoints = directory.resolve("checkpoints");
        var store = new CheckpointStore(checkpoints, 99);
        Path aside = Files.createDirectory(directory.resolve("aside"));
        for (Path file :
                filesOf(store.newestBefore(first + 2, System.err::println).orElseThrow())) {
            Files.copy(file, aside.resolve(file.getFileName()));
        }
        var old = store.newestBefore(first + 1, System.err::println).orElseThrow();
        store.save(first, draft -> copyRuined(old.directory(), tensorOfFirst, draft));
        store.save(first + 1, draft -> copyRuined(aside, tensorOfSecond, draft));
    }

    private static List<Path> filesOf(Checkpoint checkpoint) {
        return checkpoint.files().stream().map(checkpoint::file).toList();
    }

    private static void copyRuined(Path good, String tensor, Path draft) throws IOException {
        for (String name : new String[] {"optimizer.safetensors", "progress.json"}) {
            Files.copy(good.resolve(name), draft.resolve(name));
        }
        try (var scope = Scope.withoutGradient();
                var weights = SafeTensors.open(good.resolve("weights.safetensors"))) {
            Map<String, Tensor> tensors = new LinkedHashMap<>();
            for (String name : weights.entries().keySet()) {
                tensors.put(name, weights.read(name));
            }
            tensors.get(tensor).fill_(new Scalar(Double.POSITIVE_INFINITY));
            SafeTensors.write(draft.resolve("weights.safetensors"), tensors, Map.of());
        }
    }

    @Test
    void firstWeightsCanComeFromAFileOfOtherClasses() throws IOException {
        Path file = directory.resolve("first.safetensors");
        try (var scope = Scope.open()) {
            Weights.save(Architectures.named("wrn-10-1").build(1, 28, 7, new RandomStreams(99)), file);
        }
        var tuned = recipe(
                "model.init=" + file, "model.resetHead=true", "steps=1", "epochs=null", "learningRate.base=1.0e-30");
        Path run = directory.resolve("run");
        RunInfo info = TrainingRun.start(tuned, run, SETTINGS, new Observer());
        assertThat(info.files()).containsKey(file.toString());
        try (var scope = Scope.open();
                var given = SafeTensors.open(file);
                var trained = SafeTensors.open(weights(run))) {
            String body = given.entries().keySet().iterator().next();
            String head = trained.entries().keySet().stream()
                    .filter(name ->
                            !given.entries().get(name).equals(trained.entries().get(name)) && name.endsWith("weight"))
                    .findFirst()
                    .orElse("");
            assertThat(body).isNotEmpty();
            assertThat(trained.entries()).hasSameSizeAs(given.entries());
            assertThat(head).isNotEmpty();
        }
        assertThatThrownBy(() -> TrainingRun.start(
                        recipe("model.init=" + file), directory.resolve("strict"), SETTINGS, new Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not fit the network");
    }

    @Test
    void aTransformerTakesWeightsOfAnotherImageSize() throws IOException {
        Path file = directory.resolve("first.safetensors");
        try (var scope = Scope.open()) {
            Weights.save(Architectures.named("vit-ti-4").build(3, 8, 7, new RandomStreams(99)), file);
        }
        List<String> tuned = List.of("model.init=" + file, "model.resetHead=true");
        ModelRecipe model = Recipes.read("vit-ti-4-cifar10", tuned).model();
        try (var scope = Scope.open();
                var given = SafeTensors.open(file)) {
            var network = Architectures.named("vit-ti-4").build(3, 16, 5, new RandomStreams(1));
            Assembly.initialise(network, model, null, new RandomStreams(1), System.err::println);
            Tensor positions = network.parametersByName().get("pos_embed");
            assertThat(positions.shape()).containsExactly(1, 17, 192);
            // Those of the class token stay, and so do all other weights.
            assertThat(positions.narrow(1, 0, 1).equal(given.read("pos_embed").narrow(1, 0, 1)))
                    .isTrue();
            String other = "blocks.3.attn.q.weight";
            assertThat(network.parametersByName().get(other).equal(given.read(other)))
                    .isTrue();
        }
    }

    @Test
    void itIsToldWhoseNamesTheFirstWeightsHave() throws IOException {
        Path file = directory.resolve("timm.safetensors");
        var architecture = Architectures.named("vit-ti-16-imagenet");
        ModelRecipe model = Recipes.read(
                        "vit-ti-4-cifar10", List.of("model.name=vit-ti-16-imagenet", "model.init=" + file))
                .model();
        try (var scope = Scope.withoutGradient()) {
            var theirs = architecture.build(32, 10, new RandomStreams(99)).parametersByName();
            Map<String, Tensor> stacked = new LinkedHashMap<>();
            theirs.forEach((name, tensor) -> {
                if (name.contains(".attn.q.")) {
                    var parts = new TensorVector(
                            tensor, theirs.get(name.replace(".q.", ".k.")), theirs.get(name.replace(".q.", ".v.")));
                    stacked.put(name.replace(".q.", ".qkv."), torch.cat(parts, 0));
                } else if (!name.contains(".attn.k.") && !name.contains(".attn.v.")) {
                    stacked.put(name, tensor);
                }
            });
            SafeTensors.write(file, stacked, Map.of());
            var network = architecture.build(32, 10, new RandomStreams(1));
            List<String> told = new ArrayList<>();
            Assembly.initialise(network, model, null, new RandomStreams(1), told::add);
            assertThat(told)
                    .singleElement()
                    .asString()
                    .startsWith("the weights of " + file
                            + " are timm's, and are taken as\n  blocks.*.attn.qkv.weight, part 1")
                    .hasLineCount(1 + 6);
            network.parametersByName()
                    .forEach((name, tensor) ->
                            assertThat(tensor.equal(theirs.get(name))).as(name).isTrue());
        }
    }

    @Test
    void aMicroBatchCanBeChosenToFitTheMemoryAndIsKeptForResumes() throws IOException {
        RunInfo info =
                TrainingRun.start(recipe("microBatch=auto"), directory, SETTINGS, new Observer().stoppingAfter(2));
        assertThat(info.microBatch()).isEqualTo(32); // a tiny network on a machine that runs tests
        assertThat(TrainingRun.resume(directory, SETTINGS, new Observer().stoppingAfter(0))
                        .microBatch())
                .isEqualTo(32);
    }

    private static Recipe recipe(String... overrides) {
        return RecipeReader.read(RECIPE, "tiny.yaml", List.of(overrides));
    }

    private static void assertSameWeights(Path actual, Path expected) throws IOException {
        assertThat(Files.mismatch(weights(actual), weights(expected))).isEqualTo(-1);
    }
}
