package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.models.TorchScriptNetwork;
import io.polder.nn.Weights;
import io.polder.recipe.Recipe;
import io.polder.tensor.Device;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import io.polder.train.Classification;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.imageio.ImageIO;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.ExtraFilesMap;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A recipe whose network is a TorchScript file with dropout and batch norm, of one channel. */
class TorchScriptRunTest {
    @TempDir
    private Path directory;

    private Path script;

    @BeforeEach
    void copyTheScript() throws IOException, URISyntaxException {
        script = copy("ten.ts");
    }

    @Test
    void itStopsResumesEvaluatesAndIsExportedLikeAnyOther() throws IOException {
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        Recipe recipe = recipe(script);
        RunInfo expected = TrainingRun.start(recipe, whole, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(expected.status()).isEqualTo(RunInfo.Status.done);
        TrainingRun.start(recipe, parts, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(5));
        Files.delete(script); // the run has a copy
        TrainingRun.resume(parts, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(TinyRun.weights(parts)).hasSameBinaryContentAs(TinyRun.weights(whole));

        Path exported = directory.resolve("exported.ts");
        Path weights = directory.resolve("exported.safetensors");
        Path again = directory.resolve("again.safetensors");
        try (var network = TrainedNetwork.open(whole, RunDirectory.Which.NEWEST, Device.CPU, System.err::println)) {
            assertThat(network.evaluate(Optional.empty(), Optional.empty()).figure(Classification.ERROR))
                    .isEqualTo(expected.result().evaluated(Classification.ERROR));
            network.export(exported);
            network.export(weights);
            assertThatThrownBy(() -> network.export(directory.resolve("exported.safetensor")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("says no format");
        }
        try (var scope = Scope.open()) {
            Weights.save(TorchScriptNetwork.load(exported), again);
        }
        assertThat(again).hasSameBinaryContentAs(weights).hasSameBinaryContentAs(TinyRun.weights(whole));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{name: sgd, l2: 0.1}", "{name: adamw, weightDecay: 0.1}"})
    void aFrozenLayerStaysAsItIsAndWhatIsExportedTrainsOn(String optimizer) throws IOException {
        Path frozen = directory.resolve("frozen.ts");
        Path first = directory.resolve("first.safetensors");
        try (var scope = Scope.open()) {
            var network = TorchScriptNetwork.load(script);
            network.parametersByName().get("conv.weight").set_requires_grad(false);
            network.save(frozen);
            Weights.save(network, first);
        }
        Path run = directory.resolve("run");
        Path again = directory.resolve("again");
        Path exported = directory.resolve("exported.ts");
        train(frozen, optimizer, run);
        try (var network = TrainedNetwork.open(run, RunDirectory.Which.NEWEST, Device.CPU, System.err::println)) {
            network.export(exported);
        }
        train(exported, optimizer, again);
        List<Path> states = List.of(first, TinyRun.weights(run), TinyRun.weights(again));
        assertThat(read(states, "conv.weight")).hasSize(1);
        assertThat(read(states, "norm.weight")).hasSize(3);
        assertThat(read(states, "head.bias")).hasSize(3);
    }

    private static void train(Path script, String optimizer, Path run) throws IOException {
        Recipe recipe = TinyRun.recipe("model={torchscript: " + script + "}", "optimizer=" + optimizer);
        TrainingRun.start(recipe, run, TinyRun.SETTINGS, new TinyRun.Observer());
    }

    /** The different values that a tensor has. */
    private static Set<String> read(List<Path> states, String name) throws IOException {
        Set<String> values = new HashSet<>();
        try (var scope = Scope.open()) {
            for (Path state : states) {
                try (var file = SafeTensors.open(state)) {
                    Tensor flat = file.read(name).flatten();
                    List<Float> numbers = new ArrayList<>();
                    for (long i = 0; i < flat.numel(); i++) {
                        numbers.add(flat.get(i).item_float());
                    }
                    values.add(numbers.toString());
                }
            }
        }
        return values;
    }

    @ParameterizedTest
    @CsvSource({"ten.ts, , false", "ten.ts, true, true", "untrained.ts, , true", "untrained.ts, false, false"})
    void theSeedDrawsTheFirstWeightsWhereTheRecipeOrTheFileSaysSo(String file, Boolean redraw, boolean draws)
            throws IOException {
        Path untrained = directory.resolve("untrained.ts");
        try (var scope = Scope.open()) {
            torch.load(script.toString())
                    .save(
                            untrained.toString(),
                            new ExtraFilesMap().put(new BytePointer("polder_untrained"), new BytePointer("")));
        }
        List<Path> first = new ArrayList<>();
        for (int seed = 1; seed <= 2; seed++) {
            Path run = directory.resolve("seed" + seed);
            var observer = new TinyRun.Observer();
            Recipe recipe = TinyRun.recipe(
                    "model={torchscript: " + directory.resolve(file) + ", redraw: " + redraw + "}",
                    "checkpoint.keep=99",
                    "seed=" + seed);
            TrainingRun.start(recipe, run, TinyRun.SETTINGS, observer.stoppingAfter(1));
            String sentence = "the weights of " + directory.resolve(file)
                    + " are the same for every seed: ± is over batch order and augmentation alone";
            assertThat(observer.warnings).isEqualTo(draws ? List.of() : List.of(sentence));
            assertThat(Files.readString(run.resolve("metrics.jsonl")).contains("are the same for every seed"))
                    .isEqualTo(!draws);
            try (var checkpoints = Files.newDirectoryStream(run.resolve("checkpoints"), "step-000000000-*")) {
                first.add(checkpoints.iterator().next().resolve("weights.safetensors"));
            }
        }
        assertThat(read(first, "head.weight")).hasSize(draws ? 2 : 1);
    }

    @Test
    void aNetworkThatCannotBeDrawnAnewIsRefusedWhereTheRecipeWantsIt() throws IOException {
        assertRefused(
                "token of the TorchScript network cannot be drawn",
                "model={torchscript: " + untrainedWithAToken() + ", redraw: true}");
    }

    /** Which may be all that the file's author could say. */
    @Test
    void aNetworkThatCannotBeDrawnAnewAndOnlySaysThatItIsUntrainedIsTrainedAndToldOf() throws IOException {
        Path own = untrainedWithAToken();
        var observer = new TinyRun.Observer();
        Path run = directory.resolve("run");
        TrainingRun.start(TinyRun.recipe("model={torchscript: " + own + "}"), run, TinyRun.SETTINGS, observer);
        String sentence = "the weights of " + own + " are the same for every seed: ";
        assertThat(observer.warnings).singleElement().asString().startsWith(sentence);
        assertThat(Files.readString(run.resolve("metrics.jsonl"))).contains(sentence);
    }

    private Path untrainedWithAToken() {
        Path own = directory.resolve("own.ts");
        try (var scope = Scope.open()) {
            var module = torch.load(script.toString());
            module.register_parameter("token", torch.ones(2).set_requires_grad(true), false);
            module.save(
                    own.toString(), new ExtraFilesMap().put(new BytePointer("polder_untrained"), new BytePointer("")));
        }
        return own;
    }

    @Test
    void outputsThatAreNotTheClassesAreAClearError() throws IOException, URISyntaxException {
        assertRefused("a tensor of [1, 4]: it must be [1, 10]", "model={torchscript: " + copy("tiny.ts") + "}");
    }

    @Test
    void imagesThatItDoesNotTakeAreAClearError() throws IOException {
        for (String split : List.of("train/cat", "train/dog", "test/cat", "test/dog")) {
            Path file = directory.resolve("images").resolve(split).resolve("1.png");
            Files.createDirectories(file.getParent());
            ImageIO.write(new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
        }
        assertRefused(
                "does not take images of 3 x 16 x 16",
                "model={torchscript: " + script + "}",
                "data={name: image-folder, dir: " + directory.resolve("images") + ", augment: none, batch: 2}");
    }

    private void assertRefused(String sentence, String... overrides) {
        Path run = directory.resolve("run");
        assertThatThrownBy(() ->
                        TrainingRun.start(TinyRun.recipe(overrides), run, TinyRun.SETTINGS, new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining("\n");
        assertThat(run).doesNotExist();
    }

    private static Recipe recipe(Path script) {
        return TinyRun.recipe("model={torchscript: " + script + "}", "scheme={name: sam, r: 0.05}");
    }

    private Path copy(String name) throws IOException, URISyntaxException {
        Path resource = Path.of(getClass().getResource("/torchscript/" + name).toURI());
        return Files.copy(resource, directory.resolve(name));
    }
}
