package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.models.TorchScriptNetwork;
import io.polder.nn.Forward;
import io.polder.tensor.Device;
import io.polder.tensor.Scope;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import javax.imageio.ImageIO;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run's network is as a file for others. */
class ExportTest {
    @TempDir
    private Path directory;

    private Path run;

    @BeforeEach
    void train() throws IOException {
        run = directory.resolve("run");
        TrainingRun.start(TinyRun.recipe("steps=1", "epochs=null"), run, TinyRun.SETTINGS, new TinyRun.Observer());
    }

    /** A grey picture of one level, so that what {@code predict} sees can be made by hand. */
    @Test
    void pixelsGiveTheProbabilitiesOfPredictWhereTheNormalisationIsInTheFile() throws IOException {
        Path picture = directory.resolve("grey.png");
        var image = new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY);
        for (int i = 0; i < 28 * 28; i++) {
            image.getRaster().setSample(i % 28, i / 28, 0, 51);
        }
        ImageIO.write(image, "png", picture.toFile());
        Path file = directory.resolve("network.ts");
        try (var network = TrainedNetwork.open(run, RunDirectory.Which.NEWEST, Device.CPU, System.err::println);
                var scope = Scope.withoutGradient()) {
            network.export(file, true);
            Tensor pixels = torch.full(new long[] {1, 1, 28, 28}, new Scalar(51 / 255f));
            Tensor probabilities = TorchScriptNetwork.load(file)
                    .forward(pixels, Forward.INFERENCE)
                    .softmax(1);
            List<String> classes = network.info().images().classNames();
            for (var guess : network.predict(List.of(picture), 10).get(0)) {
                assertThat(probabilities
                                .get(0)
                                .get(classes.indexOf(guess.className()))
                                .item_double())
                        .isCloseTo(guess.probability(), within(1e-6));
            }
            JsonNode about = about(file);
            assertThat(about.at("/model").asText()).isEqualTo("resnet-small");
            assertThat(about.at("/input/height").asInt()).isEqualTo(28);
            assertThat(about.at("/input/normalized").asBoolean()).isTrue();
            assertThat(about.at("/classes").size()).isEqualTo(10);
            assertThat(about.at("/probabilities").asText()).isEqualTo("softmax");
        }
    }

    @Test
    void onlyAWholeNetworkCanNormalise() throws IOException {
        try (var network = TrainedNetwork.open(run, RunDirectory.Which.NEWEST, Device.CPU, System.err::println)) {
            network.export(directory.resolve("plain.pt"));
            assertThat(about(directory.resolve("plain.pt"))
                            .at("/input/normalized")
                            .asBoolean())
                    .isFalse();
            assertThatThrownBy(() -> network.export(directory.resolve("weights.safetensors"), true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot have the normalisation in it");
            assertThatThrownBy(() -> network.export(directory.resolve("network.onnx")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("says no format");
        }
    }

    private static JsonNode about(Path file) throws IOException {
        try (var archive = new ZipFile(file.toFile())) {
            var entry = archive.stream()
                    .filter(each -> each.getName().endsWith("/extra/polder.json"))
                    .findFirst()
                    .orElseThrow();
            return new ObjectMapper().readTree(archive.getInputStream(entry));
        }
    }
}
