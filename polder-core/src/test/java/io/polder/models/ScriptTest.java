package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.nn.Dropout;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A network's program beside the network itself; {@code ScriptInPythonTest} has it loaded elsewhere. */
class ScriptTest {
    @TempDir
    private Path directory;

    /** Sides that are odd somewhere on the way down have other paddings. */
    @ParameterizedTest
    @CsvSource({
        "resnet-small, 32",
        "resnet-medium, 27",
        "resnet-18, 32",
        "resnet-18-imagenet, 64",
        "wrn-10-2, 32",
        "wrn-10-1, 27",
        "wrn-ss-2x32, 32",
        "wrn-ss-2x16, 25",
        "pyramidnet-20-48, 32",
        "pyramidnet-20-24-shakedrop, 27",
        "vit-ti-4, 16"
    })
    void theProgramGivesTheNetworksLogitsForAnyNumberOfImages(String name, int side) throws IOException {
        try (var scope = Scope.withoutGradient()) {
            var network = stirred(Architectures.named(name).build(side, 7, new RandomStreams(1)));
            var read = saved(TorchScriptNetwork.of(network));
            assertThat(read.buffersByName().keySet()).containsExactlyInAnyOrderElementsOf(names(network));
            for (int images : new int[] {1, 3}) {
                assertSame(read, network, images(images, side));
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "vgg16, 32",
        "vgg19-bn, 37",
        "vgg16-bn-imagenet, 64",
        "resnet-50, 27",
        "resnet-50-imagenet, 65",
        "vit-s-16, 64"
    })
    void andSoDoLargeOnes(String name, int side) throws IOException {
        theProgramGivesTheNetworksLogitsForAnyNumberOfImages(name, side);
    }

    @Test
    void aPerceptronIsWrittenToo() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            for (var activation : MultilayerPerceptron.Activation.values()) {
                var network = stirred(new MultilayerPerceptron(
                        List.of(3 * 64, 20, 10, 4), activation, new Dropout(0.5), new RandomStreams(1)));
                assertSame(saved(TorchScriptNetwork.of(network)), network, images(2, 8));
            }
        }
    }

    @Test
    void aNetworkOfAnySizeTakesImagesOfAnotherSizeToo() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            var network = stirred(Architectures.named("wrn-10-1").build(32, 4, new RandomStreams(1)));
            assertSame(saved(TorchScriptNetwork.of(network)), network, images(2, 29));
        }
    }

    @Test
    void aTransformerRefusesImagesOfAnotherSize() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            var read =
                    saved(TorchScriptNetwork.of(Architectures.named("vit-ti-4").build(16, 4, new RandomStreams(1))));
            assertThatThrownBy(() -> read.forward(images(1, 18), Forward.INFERENCE))
                    .hasMessageContaining("the images must be 16 x 16");
        }
    }

    @Test
    void withTheNormalisationItTakesPixels() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            var network = stirred(Architectures.named("wrn-10-1").build(16, 4, new RandomStreams(1)));
            var read = saved(TorchScriptNetwork.normalizing(
                    network, new float[] {0.1f, 0.2f, 0.3f}, new float[] {0.5f, 0.6f, 0.7f}));
            Tensor pixels = images(2, 16);
            Tensor normalized = pixels.clone();
            for (int i = 0; i < 3; i++) {
                normalized.select(1, i).sub_(new Scalar(0.1f + 0.1f * i)).div_(new Scalar(0.5f + 0.1f * i));
            }
            assertClose(read.forward(pixels, Forward.INFERENCE), network.forward(normalized, Forward.INFERENCE));
        }
    }

    @Test
    void itIsNotTrainedByMistakeSinceDropoutIsNotInIt() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            var read =
                    saved(TorchScriptNetwork.of(Architectures.named("wrn-10-1").build(16, 4, new RandomStreams(1))));
            assertThatThrownBy(() -> read.requireFit(3, 16, 16, 4)).hasMessageContaining("nothing to train");
        }
    }

    @Test
    void aNetworkWithoutAProgramIsRefused() {
        try (var scope = Scope.withoutGradient()) {
            var network = new Network() {
                @Override
                public Tensor forward(Tensor images, Forward forward) {
                    return images;
                }
            };
            assertThatThrownBy(() -> TorchScriptNetwork.of(network))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be written as TorchScript");
        }
    }

    private TorchScriptNetwork saved(TorchScriptNetwork network) throws IOException {
        Path file = Files.createTempFile(directory, "network", ".ts");
        network.save(file);
        return TorchScriptNetwork.load(file);
    }

    private static List<String> names(Network network) {
        return Stream.of(network.parametersByName(), network.buffersByName())
                .flatMap(tensors -> tensors.keySet().stream())
                .toList();
    }

    /** With weights and statistics that are all different: fresh ones are zero and one in many a layer. */
    static Network stirred(Network network) {
        var generator = new GeneratorOptional(new RandomStreams(2).generator("initial weights"));
        network.parametersByName()
                .values()
                .forEach(weight -> weight.add_(torch.empty(weight.shape()).normal_(0, 0.02, generator)));
        network.statisticsByName().forEach((name, statistic) -> {
            if (statistic.is_floating_point()) {
                statistic.add_(torch.empty(statistic.shape()).uniform_(0, 0.3, generator));
            }
        });
        return network;
    }

    static Tensor images(int count, int side) {
        var generator = new GeneratorOptional(new RandomStreams(3).generator("images"));
        return torch.empty(count, 3, side, side).uniform_(0, 1, generator);
    }

    private static void assertSame(Network read, Network network, Tensor images) {
        assertClose(read.forward(images, Forward.INFERENCE), network.forward(images, Forward.INFERENCE));
    }

    /** Rounding alone: the same operations, in places not in place. */
    private static void assertClose(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        double scale = expected.abs().max().item_double();
        assertThat(scale).isPositive();
        assertThat(actual.sub(expected).abs().max().item_double()).isLessThan(1e-5 * scale);
    }
}
