package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.models.TorchScriptNetwork;
import io.polder.nn.Weights;
import io.polder.recipe.Recipe;
import io.polder.tensor.Device;
import io.polder.tensor.Scope;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
            assertThat(network.evaluate(Optional.empty(), Optional.empty()).error())
                    .isEqualTo(expected.result().error());
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
