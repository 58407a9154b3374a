package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.nn.Dropout;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.nn.SharedBatch;
import io.polder.nn.Weights;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
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

    /** A worker whose share of a batch is empty: all its sums are 0, and the others' make its running statistics. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "vgg16-bn",
                "resnet-18",
                "resnet-18-imagenet",
                "wrn-16-4",
                "wrn-ss-2x96",
                "pyramidnet-164-48-shakedrop",
                "resnet-small"
            })
    void everyFamilyWithBatchNormTakesPartWithoutExamples(String name) {
        try (var scope = Scope.open()) {
            var streams = new RandomStreams(1);
            Network network = Architectures.named(name).build(32, 10, streams);
            List<Integer> exchanged = new ArrayList<>();
            SharedBatch others = sums -> {
                assertThat(sums.abs().max().item_double()).isZero();
                exchanged.add((int) sums.numel());
                if (sums.numel() % 2 == 1) { // mean 1 and variance 2 of ten numbers
                    long channels = sums.numel() / 2;
                    sums.narrow(0, 0, channels).fill_(new Scalar(10.0));
                    sums.narrow(0, channels, channels).fill_(new Scalar(30.0));
                    sums.narrow(0, 2 * channels, 1).fill_(new Scalar(10.0));
                }
            };
            Tensor none = torch.zeros(0, 3, 32, 32);
            Tensor outputs = network.forward(
                    none,
                    Forward.training(Pass.REFERENCE, streams.generator("forward"))
                            .sharing(others));
            assertThat(outputs.shape()).containsExactly(0, 10);
            int forward = exchanged.size();
            outputs.sum().backward();
            assertThat(exchanged).hasSize(2 * forward);
            network.statisticsByName().forEach((path, statistic) -> {
                if (path.endsWith("running_mean")) {
                    assertThat(statistic.sub(new Scalar(0.1)).abs().max().item_double())
                            .as(path)
                            .isLessThan(1e-6);
                }
            });
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
    void visionTransformersOfAnySizeCanBeAskedFor() {
        try (var scope = Scope.withoutGradient()) {
            Network network = Architectures.named("vit-2x64-4").build(16, 5, new RandomStreams(1));
            assertThat(network.forward(torch.zeros(1, 3, 16, 16), Forward.INFERENCE)
                            .shape())
                    .containsExactly(1, 5);
            int patches = 3 * 16 * 64 + 64;
            int tokens = 64 + 17 * 64;
            int blocks = 2 * (12 * 64 * 64 + 13 * 64);
            int head = 2 * 64 + 5 * 64 + 5;
            assertThat(network.parameterCount()).isEqualTo(patches + tokens + blocks + head);
            assertThat(Architectures.transformer("vit-2x64-4", 16, 5)
                            .withDropout(0)
                            .dropout())
                    .isEqualTo(new Dropout(0));
        }
        assertThat(Architectures.transformer("vit-12x192-4", 32, 10))
                .isEqualTo(Architectures.transformer("vit-ti-4", 32, 10));
        assertThatThrownBy(() -> Architectures.named("vit-2x100-4"))
                .hasMessage("width is 100: it must be a multiple of 64");
        assertThatThrownBy(() -> Architectures.named("vit-0x64-4")).hasMessage("layers is 0: it must be at least 1");
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
