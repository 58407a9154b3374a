package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.models.VisionTransformer.Settings;
import io.polder.models.VisionTransformer.Size;
import io.polder.nn.Forward;
import io.polder.nn.Pass;
import io.polder.tensor.OpenScope;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenScope.class)
class VisionTransformerTest {
    private static final Settings TINY = Settings.of(Size.TINY, 4, 32, 10);
    private static final Map<String, Size> SIZES = Map.of("ViT-Ti", Size.TINY, "ViT-S", Size.SMALL, "ViT-B", Size.BASE);

    private final RandomStreams streams = new RandomStreams(2);

    @Test
    void logitsAreThoseOfTheAuthorsCode() {
        JsonNode golden = FormulaWeights.golden("models.json", "ViT_TI16");
        try (var inner = Scope.withoutGradient()) {
            var network = new VisionTransformer(TINY, streams);
            network.inDoublePrecision();
            List<String> order = namesInOrderOfFirstUse();
            var named = network.parametersByName();
            assertThat(order).containsExactlyInAnyOrderElementsOf(named.keySet());
            JsonNode listed = golden.get("parameters_in_order_of_first_use");
            assertThat(order).hasSize(listed.size());
            for (int k = 0; k < order.size(); k++) {
                String[] kindAndShape = listed.get(k).asText().split(" ");
                long[] shape = Stream.of(kindAndShape[1].split("x"))
                        .mapToLong(Long::parseLong)
                        .toArray();
                Tensor parameter = named.get(order.get(k));
                Tensor values = kindAndShape[0].equals("scale")
                        ? FormulaWeights.scale(shape[0], k)
                        : FormulaWeights.values(k, shape);
                // Their attention kernels go from inputs to outputs, with the heads as a dimension of their own.
                parameter.copy_(
                        kindAndShape[0].equals("kernel")
                                ? values.reshape(parameter.size(1), parameter.size(0))
                                        .t()
                                : values.reshape(parameter.shape()));
            }
            FormulaWeights.assertLogits(
                    network.forward(FormulaWeights.images(golden), Forward.INFERENCE), golden.get("eval_logits"));
        }
    }

    private static List<String> namesInOrderOfFirstUse() {
        List<String> names =
                new ArrayList<>(List.of("patch_embed.proj.weight", "patch_embed.proj.bias", "cls_token", "pos_embed"));
        for (int i = 0; i < 12; i++) {
            for (String layer :
                    List.of("norm1", "attn.q", "attn.k", "attn.v", "attn.proj", "norm2", "mlp.fc1", "mlp.fc2")) {
                names.add("blocks." + i + "." + layer + ".weight");
                names.add("blocks." + i + "." + layer + ".bias");
            }
        }
        names.addAll(List.of("norm.weight", "norm.bias", "head.weight", "head.bias"));
        return names;
    }

    @Test
    void firstWeightsAreSpreadAsTheAuthors() {
        var named = new VisionTransformer(TINY, streams).parametersByName();
        named.forEach((name, parameter) -> {
            long[] shape = parameter.shape();
            if (name.startsWith("head") || name.equals("cls_token")) {
                FirstDeviations.assertConstant(name, parameter, 0);
            } else if (name.equals("pos_embed")) {
                FirstDeviations.assertNormal(name, parameter, 0.02);
            } else if (shape.length == 4) {
                FirstDeviations.assertNormal(name, parameter, 1 / Math.sqrt(3 * 4 * 4));
            } else if (shape.length == 2) {
                FirstDeviations.assertUniform(name, parameter, Math.sqrt(6.0 / (shape[0] + shape[1])));
            } else if (name.contains("mlp")) {
                FirstDeviations.assertNormal(name, parameter, 1e-6);
            } else {
                FirstDeviations.assertConstant(name, parameter, name.endsWith("bias") ? 0 : 1);
            }
        });
        assertThat(named).hasSize(200);
    }

    @Test
    void penaltyStepLowersTheLossAlsoWithDropPath() {
        var settings = Settings.of(Size.TINY, 4, 16, 10).withDropPath(0.3);
        PenaltyStep.assertLowersTheLoss(withHead(settings), 16, 10);
    }

    @Test
    void bothPassesDrawTheSameAndInferenceDrawsNothing() {
        var network = withHead(Settings.of(Size.TINY, 4, 16, 10).withDropPath(0.3));
        Tensor x = images(16);
        Tensor reference = network.forward(x, Forward.training(Pass.REFERENCE, streams.generator("forward", 1)));
        Tensor perturbed = network.forward(x, Forward.training(Pass.PERTURBED, streams.generator("forward", 1)));
        Tensor other = network.forward(x, Forward.training(Pass.REFERENCE, streams.generator("forward", 2)));
        assertThat(perturbed.equal(reference)).isTrue();
        assertThat(other.equal(reference)).isFalse();
        Tensor inference = network.forward(x, Forward.INFERENCE);
        assertThat(inference.equal(network.forward(x, Forward.INFERENCE))).isTrue();
        assertThat(inference.equal(reference)).isFalse();
    }

    @Test
    void withoutDropoutTrainingIsInference() {
        var network = withHead(Settings.of(Size.TINY, 4, 16, 10).withDropout(0));
        Tensor x = images(16);
        assertThat(network.forward(x, Forward.training(Pass.REFERENCE, streams.generator("forward")))
                        .equal(network.forward(x, Forward.INFERENCE)))
                .isTrue();
    }

    @Test
    void resizingKeepsConstantPositionsAndThatOfTheClassToken() {
        Tensor positions = torch.cat(
                new TensorVector(
                        torch.full(new long[] {1, 1, 6}, new Scalar(-7.0)),
                        torch.full(new long[] {1, 64, 6}, new Scalar(0.3))),
                1);
        Tensor larger = VisionTransformer.resizedPositions(positions, 12);
        assertThat(larger.shape()).containsExactly(1, 145, 6);
        FirstDeviations.assertConstant("class token", larger.narrow(1, 0, 1), -7);
        // Sixteen weights in single precision that add up to one.
        assertThat(larger.narrow(1, 1, 144).sub(new Scalar(0.3)).abs().max().item_double())
                .isLessThan(1e-6);
    }

    @Test
    void resizingKeepsTheDirectionsOfTheGrid() {
        // A position that grows from left to right only, in row-major order of patches.
        Tensor row = torch.arange(new Scalar(4.0)).repeat(4).view(1, 16, 1);
        Tensor positions = torch.cat(new TensorVector(torch.zeros(1, 1, 1), row), 1);
        Tensor map = VisionTransformer.resizedPositions(positions, 8)
                .narrow(1, 1, 64)
                .view(8, 8);
        for (int i = 1; i < 8; i++) {
            assertThat(map.get(i).sub(map.get(0)).abs().max().item_double()).isLessThan(1e-6);
            assertThat(map.select(1, i).sub(map.select(1, i - 1)).min().item_double())
                    .isPositive();
        }
    }

    @Test
    void resizingToTheSameSizeChangesNothing() {
        var network = withHead(TINY);
        Tensor positions = network.parametersByName().get("pos_embed");
        assertThat(VisionTransformer.resizedPositions(positions, 8).equal(positions))
                .isTrue();
        Tensor x = images(32);
        assertThat(resized(network, 32).forward(x, Forward.INFERENCE).equal(network.forward(x, Forward.INFERENCE)))
                .isTrue();
    }

    @Test
    void resizedNetworkRunsOnItsSizeAndOnNoOther() {
        var network = withHead(TINY);
        var larger = resized(network, 48);
        assertThat(larger.parametersByName()
                        .get("head.weight")
                        .equal(network.parametersByName().get("head.weight")))
                .isTrue();
        Tensor logits = larger.forward(images(48), Forward.INFERENCE);
        assertThat(logits.shape()).containsExactly(4, 10);
        assertThat(logits.isfinite().all().item_bool()).isTrue();
        assertThatThrownBy(() -> larger.forward(images(32), Forward.INFERENCE))
                .hasMessageContaining("image is 32×32: it must be 48×48");
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> Settings.of(Size.TINY, 5, 32, 10))
                .hasMessage("image is 32: it must be a multiple of the patch, which is 5");
        assertThatThrownBy(() -> TINY.withDropPath(1)).hasMessage("dropPath is 1.0: it must be at least 0 and below 1");
        assertThatThrownBy(() -> VisionTransformer.resizedPositions(torch.zeros(1, 8, 6), 4))
                .hasMessageContaining("positions has 7 patches: it must have a square number");
    }

    private VisionTransformer resized(VisionTransformer network, int image) {
        var other = new VisionTransformer(TINY.withImage(image), streams);
        other.takeWeightsOf(network);
        return other;
    }

    /** A head of zeros hides everything before it. */
    private VisionTransformer withHead(Settings settings) {
        var network = new VisionTransformer(settings, streams);
        try (var inner = Scope.withoutGradient()) {
            network.parametersByName()
                    .get("head.weight")
                    .normal_(0, 0.1, new GeneratorOptional(streams.generator("head")));
        }
        return network;
    }

    private Tensor images(int side) {
        return torch.empty(4, 3, side, side).normal_(0, 1, new GeneratorOptional(streams.generator("images")));
    }
}
