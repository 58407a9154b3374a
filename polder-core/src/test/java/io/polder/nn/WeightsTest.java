package io.polder.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.polder.models.MultilayerPerceptron;
import io.polder.models.ResidualNetwork;
import io.polder.tensor.ElementType;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WeightsTest {
    @TempDir
    private Path folder;

    private Path file;
    private Scope scope;

    @BeforeEach
    void open() {
        scope = Scope.open();
        file = folder.resolve("weights.safetensors");
    }

    @AfterEach
    void close() {
        scope.close();
    }

    @Test
    void aNetworkComesBackBitForBit() throws IOException {
        for (var pair : List.of(
                List.of(used(residual(1, 10)), residual(2, 10)), List.of(perceptron(1, 10), perceptron(2, 10)))) {
            Network saved = pair.get(0);
            Network loaded = pair.get(1);
            assertThat(same(state(saved), state(loaded))).isFalse();
            Weights.save(saved, file);
            Weights.load(loaded, file);
            assertThat(same(state(saved), state(loaded))).isTrue();
            Tensor images = images();
            assertThat(loaded.forward(images, Forward.INFERENCE).equal(saved.forward(images, Forward.INFERENCE)))
                    .isTrue();
        }
    }

    @Test
    void flatParametersAreReadAndWrittenInPlace() throws IOException {
        Network saved = used(residual(1, 10));
        Network loaded = residual(2, 10);
        Path plain = folder.resolve("plain");
        Weights.save(saved, plain);
        try (var flat = FlatParameters.of(saved.parametersByName());
                var flatLoaded = FlatParameters.of(loaded.parametersByName())) {
            assertThat(saved.parametersByName().get("block2.conv1.weight").is_contiguous())
                    .as("channels-last")
                    .isFalse();
            Weights.save(saved, file);
            assertThat(file).hasSameBinaryContentAs(plain);

            Weights.load(loaded, file);
            assertThat(same(state(saved), state(loaded))).isTrue();
            assertThat(flatLoaded.values().toArray())
                    .as("still views of the one vector")
                    .isEqualTo(flat.values().toArray());
            assertThat(loaded.parametersByName().get("stem.weight").requires_grad())
                    .isTrue();
        }
    }

    @Test
    void theFileHasTheNamesOfTheStateDictionary() throws IOException {
        Weights.save(residual(1, 10), file);
        try (var stored = SafeTensors.open(file)) {
            assertThat(stored.metadata()).containsExactly(Map.entry("format", "pt"));
            assertThat(stored.entries())
                    .containsOnlyKeys(state(residual(1, 10)).keySet())
                    .containsKeys(
                            "stem.weight",
                            "block2.norm1.weight",
                            "block2.norm1.running_mean",
                            "block2.norm1.num_batches_tracked",
                            "block2.shortcut.weight",
                            "head.bias");
            assertThat(stored.entries().get("stem.weight").shape()).containsExactly(4L, 1L, 3L, 3L);
        }
    }

    @Test
    void anotherPrecisionIsConverted() throws IOException {
        Network saved = residual(1, 10);
        for (var type : List.of(torch.ScalarType.Half, torch.ScalarType.BFloat16, torch.ScalarType.Double)) {
            Map<String, Tensor> converted = state(saved);
            converted.replaceAll((name, tensor) -> tensor.is_floating_point() ? tensor.to(type) : tensor);
            SafeTensors.write(file, converted, Map.of());
            Network loaded = residual(2, 10);
            Weights.load(loaded, file);
            converted.replaceAll(
                    (name, tensor) -> tensor.is_floating_point() ? tensor.to(torch.ScalarType.Float) : tensor);
            assertThat(same(state(loaded), converted)).as(type.toString()).isTrue();
        }
    }

    @Test
    void aDoubleNetworkTakesFloatsAndAFloatNetworkDoubles() throws IOException {
        Network saved = perceptron(1, 10);
        Network wide = perceptron(2, 10).inDoublePrecision();
        Network narrow = perceptron(3, 10);
        Weights.save(saved, file);
        Weights.load(wide, file);
        Weights.save(wide, file);
        Weights.load(narrow, file);
        try (var stored = SafeTensors.open(file)) {
            assertThat(stored.entries().get("layer1.weight").type()).isEqualTo(ElementType.F64);
        }
        assertThat(same(state(narrow), state(saved))).isTrue();
    }

    @Test
    void whatDoesNotFitIsListedAndTheNetworkUntouched() throws IOException {
        Map<String, Tensor> stored = state(residual(1, 10));
        stored.remove("block1.norm1.bias");
        stored.remove("norm.running_mean");
        stored.put("fc.weight", torch.ones(2));
        stored.put("head.bias", torch.ones(7));
        stored.put("head.weight", torch.ones(10, 8, 1));
        stored.put("norm.num_batches_tracked", torch.ones());
        SafeTensors.write(file, stored, Map.of());

        Network network = residual(2, 10);
        Map<String, Tensor> before = copy(state(network));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Weights.load(network, file))
                .withMessage(String.join(
                        "\n",
                        file + " does not fit the network, which is left as it was: give weights of this architecture"
                                + ", and for other classes leave its last layer out (--reset-head)",
                        "  missing in the file:",
                        "    block1.norm1.bias",
                        "    norm.running_mean",
                        "  unknown to the network:",
                        "    fc.weight",
                        "  of another shape or type:",
                        "    head.weight is [10, 8, 1]: it must be [10, 8]",
                        "    head.bias is [7]: it must be [10]",
                        "    norm.num_batches_tracked is F32: it must be I64"));
        assertThat(same(state(network), before)).isTrue();
    }

    @Test
    void longListsEndInANumber() throws IOException {
        SafeTensors.write(file, Map.of(), Map.of());
        Network network = residual(1, 10);
        int tensors = state(network).size();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Weights.load(network, file))
                .withMessageEndingWith("\n    and " + (tensors - 10) + " more")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1 + 1 + 10 + 1));
    }

    @Test
    void aDamagedFileLeavesTheNetworkUntouched() throws IOException {
        Network network = residual(2, 10);
        Map<String, Tensor> before = copy(state(network));
        Weights.save(residual(1, 10), file);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Weights.load(network, file))
                .withMessageStartingWith(file + " has a damaged header");
        assertThat(same(state(network), before)).isTrue();
    }

    @Test
    void theHeadMayDifferBeMissingOrBeTheSameAndKeepsItsFirstWeights() throws IOException {
        Network saved = used(residual(1, 10));
        Map<String, Tensor> headless = state(saved);
        headless.keySet().removeIf(name -> name.startsWith("head."));
        for (int classes : new int[] {10, 3}) {
            for (boolean missing : new boolean[] {false, true}) {
                SafeTensors.write(file, missing ? headless : state(saved), Map.of());
                Network network = residual(2, classes);
                Map<String, Tensor> expected = copy(headless);
                state(network).forEach((name, tensor) -> expected.putIfAbsent(name, tensor.clone()));
                Weights.loadExceptHead(network, file, "head");
                assertThat(same(state(network), expected)).isTrue();
            }
        }
    }

    @Test
    void theRestIsAsStrictWithoutTheHead() throws IOException {
        Map<String, Tensor> stored = state(residual(1, 10));
        stored.remove("stem.weight");
        stored.put("headless.weight", torch.ones(1));
        SafeTensors.write(file, stored, Map.of());
        Network network = residual(2, 3);
        Map<String, Tensor> before = copy(state(network));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Weights.loadExceptHead(network, file, "head"))
                .withMessageEndingWith(
                        "\n  missing in the file:\n    stem.weight\n  unknown to the network:\n    headless.weight");
        assertThat(same(state(network), before)).isTrue();
    }

    @Test
    void aHeadThatTheNetworkDoesNotHaveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Weights.loadExceptHead(residual(1, 10), file, "fc"))
                .withMessage(
                        "head is \"fc\": it must be one of the network's layers, stem, block1, block2, norm, head");
    }

    private static ResidualNetwork residual(long seed, int classes) {
        return new ResidualNetwork(1, List.of(4, 8), 1, classes, new RandomStreams(seed));
    }

    private static MultilayerPerceptron perceptron(long seed, int classes) {
        return new MultilayerPerceptron(
                List.of(64, 16, classes),
                MultilayerPerceptron.Activation.RELU,
                new Dropout(0),
                new RandomStreams(seed));
    }

    /** Gives batch norm's statistics values that a fresh network does not have. */
    private static Network used(Network network) {
        network.forward(images(), Forward.training(Pass.REFERENCE, null));
        return network;
    }

    private static Tensor images() {
        return torch.empty(4, 1, 8, 8).normal_(0.5, 2, new GeneratorOptional(new RandomStreams(9).generator("images")));
    }

    private static Map<String, Tensor> state(Network network) {
        Map<String, Tensor> state = new LinkedHashMap<>(network.parametersByName());
        state.putAll(network.buffersByName());
        return state;
    }

    private static Map<String, Tensor> copy(Map<String, Tensor> tensors) {
        Map<String, Tensor> copy = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> copy.put(name, tensor.clone()));
        return copy;
    }

    private static boolean same(Map<String, Tensor> a, Map<String, Tensor> b) {
        return a.keySet().equals(b.keySet())
                && a.keySet().stream().allMatch(name -> a.get(name).equal(b.get(name)));
    }
}
