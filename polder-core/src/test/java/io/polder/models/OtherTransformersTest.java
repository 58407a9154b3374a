package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.nn.Forward;
import io.polder.nn.OtherNames;
import io.polder.nn.Weights;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights of timm's and torchvision's vision transformers, under their names; {@code tools/golden-vit.py} made the numbers. */
class OtherTransformersTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"timm", "torchvision"})
    void theirWeightsGiveTheirLogits(String whose) throws IOException {
        JsonNode golden = FormulaWeights.golden("vit.json", whose);
        try (var scope = Scope.withoutGradient()) {
            Path file = written(state(golden));
            var network = network("vit-ti-16-imagenet", 5);
            network.inDoublePrecision();
            Weights.load(network, file);
            FormulaWeights.assertLogits(
                    network.forward(FormulaWeights.images(golden), Forward.INFERENCE), golden.get("logits"));
        }
    }

    /** As timm 1.0.31 and, of the last, torchvision 0.25.0 count them. */
    @ParameterizedTest
    @CsvSource({"vit-ti-16-imagenet, 5717416", "vit-s-16-imagenet, 22050664", "vit-b-16-imagenet, 86567656"})
    void theParametersAreAsMany(String name, long count) {
        try (var scope = Scope.open()) {
            assertThat(Architectures.named(name)
                            .build(224, 1000, new RandomStreams(1))
                            .parameterCount())
                    .isEqualTo(count);
        }
    }

    @Test
    void torchvisionsOlderNamesAreTakenToo() throws IOException {
        JsonNode golden = FormulaWeights.golden("vit.json", "torchvision");
        try (var scope = Scope.withoutGradient()) {
            Map<String, Tensor> older = new LinkedHashMap<>();
            state(golden)
                    .forEach((name, tensor) -> older.put(
                            name.replace(".mlp.0.", ".mlp.linear_1.").replace(".mlp.3.", ".mlp.linear_2."), tensor));
            var network = network("vit-ti-16-imagenet", 5);
            network.inDoublePrecision();
            Weights.load(network, written(older));
            FormulaWeights.assertLogits(
                    network.forward(FormulaWeights.images(golden), Forward.INFERENCE), golden.get("logits"));
        }
    }

    @Test
    void whatIsTakenForWhatIsALineAKind() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            var network = network("vit-ti-16-imagenet", 5);
            Path file = written(state(FormulaWeights.golden("vit.json", "timm")));
            OtherNames names = Weights.otherNames(network, file).orElseThrow();
            assertThat(names.whose()).isEqualTo("timm");
            assertThat(names.lines())
                    .containsExactly(
                            "blocks.*.attn.qkv.weight, part 1 of 3 → blocks.*.attn.q.weight",
                            "blocks.*.attn.qkv.bias, part 1 of 3 → blocks.*.attn.q.bias",
                            "blocks.*.attn.qkv.weight, part 2 of 3 → blocks.*.attn.k.weight",
                            "blocks.*.attn.qkv.bias, part 2 of 3 → blocks.*.attn.k.bias",
                            "blocks.*.attn.qkv.weight, part 3 of 3 → blocks.*.attn.v.weight",
                            "blocks.*.attn.qkv.bias, part 3 of 3 → blocks.*.attn.v.bias");
            Path own = directory.resolve("own.safetensors");
            Weights.save(network, own);
            assertThat(Weights.otherNames(network, own)).isEmpty();
        }
    }

    @Test
    void aNetworkWithTheOtherGeluRefusesThem() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            Path file = written(state(FormulaWeights.golden("vit.json", "timm")));
            assertThatThrownBy(() -> Weights.load(network("vit-ti-16", 5), file))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file
                            + " has weights of timm, whose GELU is the exact one, and this network's is not: choose one"
                            + " whose name ends in -imagenet");
        }
    }

    @Test
    void otherClassesAndOtherPatchesAreTold() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            Map<String, Tensor> state = state(FormulaWeights.golden("vit.json", "torchvision"));
            Path file = written(state);
            assertThatThrownBy(() -> Weights.load(network("vit-ti-16-imagenet", 7), file))
                    .hasMessageContaining("--reset-head")
                    .hasMessageContaining("head.weight is [5, 192]: it must be [7, 192]");
            Weights.loadExceptHead(network("vit-ti-16-imagenet", 7), file, "head");
            state.put("conv_proj.weight", torch.zeros(192, 3, 8, 8));
            assertThatThrownBy(() -> Weights.load(network("vit-ti-16-imagenet", 5), written(state)))
                    .hasMessageContaining("patch_embed.proj.weight is [192, 3, 8, 8]: it must be [192, 3, 16, 16]");
            state.put("pre_logits.weight", torch.zeros(3));
            assertThatThrownBy(() -> Weights.load(network("vit-ti-16-imagenet", 5), written(state)))
                    .hasMessageContaining("unknown to the network:\n    pre_logits.weight");
        }
    }

    @Test
    void theirPositionsForAnotherImageSizeAreStretched() throws IOException {
        try (var scope = Scope.withoutGradient()) {
            Path file = written(state(FormulaWeights.golden("vit.json", "torchvision")));
            var larger = (VisionTransformer)
                    Architectures.named("vit-ti-16-imagenet").build(48, 5, new RandomStreams(1));
            VisionTransformer theirs = larger.likeThatOf(file, new RandomStreams(1));
            assertThat(theirs.parametersByName().get("pos_embed").shape()).containsExactly(1, 5, 192);
            Weights.load(theirs, file);
            larger.takeWeightsOf(theirs);
            assertThat(larger.forward(torch.zeros(1, 3, 48, 48), Forward.INFERENCE)
                            .shape())
                    .containsExactly(1, 5);
        }
    }

    private static VisionTransformer network(String name, int classes) {
        return (VisionTransformer) Architectures.named(name).build(32, classes, new RandomStreams(1));
    }

    private Path written(Map<String, Tensor> state) throws IOException {
        Path file = directory.resolve("theirs.safetensors");
        SafeTensors.write(file, state, Map.of());
        return file;
    }

    private static Map<String, Tensor> state(JsonNode golden) {
        Map<String, Tensor> state = new LinkedHashMap<>();
        for (JsonNode line : golden.get("state_dict_names")) {
            String[] words = line.asText().split(" ");
            long[] shape = Arrays.stream(words[1].split("x"))
                    .mapToLong(Long::parseLong)
                    .toArray();
            boolean scale = shape.length == 1 && words[0].endsWith("weight");
            state.put(
                    words[0],
                    scale ? FormulaWeights.scale(shape[0], state.size()) : FormulaWeights.values(state.size(), shape));
        }
        return state;
    }
}
