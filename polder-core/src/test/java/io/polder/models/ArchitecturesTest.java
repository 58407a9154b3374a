package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every architecture must do, whatever its family. */
class ArchitecturesTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vgg16-bn",
                "resnet-18",
                "resnet-18-imagenet",
                "wrn-16-4",
                "wrn-ss-2x96",
                "pyramidnet-164-48",
                "pyramidnet-164-48-shakedrop",
                "vit-ti-4"
            })
    void everyFamilyGoesThroughSafetensorsBitForBit(String name) throws IOException {
        var architecture = Architectures.named(name);
        Path file = directory.resolve("weights.safetensors");
        try (var scope = Scope.withoutGradient()) {
            Network written = architecture.build(32, 10, new RandomStreams(1));
            Network read = architecture.build(32, 10, new RandomStreams(2));
            Weights.save(written, file);
            Weights.load(read, file);
            Map<String, Tensor> expected = state(written);
            assertThat(state(read).keySet()).isEqualTo(expected.keySet());
            state(read)
                    .forEach((path, tensor) -> assertThat(tensor.equal(expected.get(path)))
                            .as(path)
                            .isTrue());
        }
    }

    @Test
    void torchvisionNamedWeightsFineTuneToOtherClasses() throws IOException {
        Path file = directory.resolve("resnet18.safetensors");
        var architecture = Architectures.named("resnet-18-imagenet");
        try (var scope = Scope.withoutGradient()) {
            Network pretrained = architecture.build(64, 1000, new RandomStreams(1));
            Weights.save(pretrained, file);
            Network tuned = architecture.build(64, 7, new RandomStreams(2));
            Weights.loadExceptHead(tuned, file, "fc");
            assertThat(tuned.parametersByName()
                            .get("layer4.1.conv2.weight")
                            .equal(pretrained.parametersByName().get("layer4.1.conv2.weight")))
                    .isTrue();
            assertThat(tuned.forward(torch.zeros(2, 3, 64, 64), Forward.INFERENCE)
                            .shape())
                    .containsExactly(2, 7);
        }
    }

    @Test
    void unknownNamesOfferTheNearest() {
        assertThatThrownBy(() -> Architectures.named("wrn-28-x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("model is \"wrn-28-x\"")
                .hasMessageContaining("wrn-28-10");
        assertThatThrownBy(() -> Architectures.named("")).hasMessageContaining("did you mean");
    }

    @Test
    void wideResidualNetworksOfAnyDepthAndWidthCanBeAskedFor() {
        try (var scope = Scope.withoutGradient()) {
            Network network = Architectures.named("wrn-10-2").build(24, 5, new RandomStreams(1));
            assertThat(network.forward(torch.zeros(1, 3, 24, 24), Forward.INFERENCE)
                            .shape())
                    .containsExactly(1, 5);
        }
    }

    @Test
    void greyImagesAreForNetworksThatTakeAnyChannels() {
        try (var scope = Scope.withoutGradient()) {
            Network network = Architectures.named("resnet-small").build(1, 28, 10, new RandomStreams(1));
            assertThat(network.forward(torch.zeros(2, 1, 28, 28), Forward.INFERENCE)
                            .shape())
                    .containsExactly(2, 10);
            assertThatThrownBy(() -> Architectures.named("vgg16").build(1, 32, 10, new RandomStreams(1)))
                    .hasMessage("channels is 1: it must be 3, since vgg16 takes colour images");
        }
    }

    @Test
    void multiplyAddsOfASmallNetworkAreThoseCountedByHand() {
        try (var scope = Scope.open()) {
            // Stem 8·3·9 at 8×8; block 8·8·9 twice at 8×8; head 8·4.
            var network = new ResidualNetwork(3, List.of(8), 1, 4, new RandomStreams(1));
            assertThat(ModelCost.of(network, 3, 8).multiplyAdds()).isEqualTo(64 * (8 * 27 + 2 * 8 * 72) + 32);
        }
    }

    private static Map<String, Tensor> state(Network network) {
        Map<String, Tensor> state = new LinkedHashMap<>(network.parametersByName());
        state.putAll(network.buffersByName());
        return state;
    }
}
