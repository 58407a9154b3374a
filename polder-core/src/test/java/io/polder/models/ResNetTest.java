package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.models.ResNet.Variant;
import io.polder.nn.Forward;
import io.polder.nn.Pass;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ResNetTest {
    private final RandomStreams streams = new RandomStreams(2);

    /** The counts in torchvision's documentation, of the variants that the golden files leave out. */
    @ParameterizedTest
    @CsvSource({"RESNET18, 11689512", "RESNET34, 21797672", "RESNET152, 60192808"})
    void imageNetFormHasAsManyParametersAsTorchvisions(Variant variant, long parameters) {
        try (var scope = Scope.open()) {
            var network = ResNet.imageNet(variant, 1000, streams);
            assertThat(network.parametersByName().values().stream()
                            .mapToLong(Tensor::numel)
                            .sum())
                    .isEqualTo(parameters);
        }
    }

    @Test
    void imageNetFormHasTorchvisionsNamesShapesAndLogits() {
        JsonNode golden = FormulaWeights.golden("torchvision.json", "resnet50");
        try (var scope = Scope.withoutGradient()) {
            var network = ResNet.imageNet(Variant.RESNET50, 1000, streams);
            FormulaWeights.assertStateDict(network, golden);

            FormulaWeights.fill(network);
            Tensor images = FormulaWeights.images(golden);
            FormulaWeights.assertLogits(network.forward(images, Forward.INFERENCE), golden.get("eval_logits"));
            // Fifty layers of batch statistics, the last of eight values each, amplify what these weights give them:
            // noise of 3e-16 on the images, a rounding, moves these logits by up to 2e-4. An ε larger by a tenth moves
            // them by 3e-3.
            FormulaWeights.assertLogits(
                    network.forward(images, Forward.training(Pass.PERTURBED, null)),
                    golden.get("train_mode_logits"),
                    value -> 3e-4);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Variant.class,
            names = {"RESNET18", "RESNET50"})
    void firstWeightsAreSpreadAsTheAuthors(Variant variant) {
        try (var scope = Scope.open()) {
            ResNet.cifar(variant, 10, streams).parametersByName().forEach((name, parameter) -> {
                long[] shape = parameter.shape();
                switch (shape.length) {
                    case 4 ->
                        FirstDeviations.assertNormal(
                                name, parameter, Math.sqrt(2.0 / (shape[0] * shape[2] * shape[3])));
                    case 2 -> FirstDeviations.assertUniform(name, parameter, 1 / Math.sqrt(shape[0]));
                    default -> FirstDeviations.assertConstant(name, parameter, name.endsWith("bias") ? 0 : 1);
                }
            });
        }
    }

    @Test
    void imageNetFormStartsWithTorchvisionsHead() {
        try (var scope = Scope.open()) {
            var named = ResNet.imageNet(Variant.RESNET18, 1000, streams).parametersByName();
            FirstDeviations.assertNormal("conv1", named.get("conv1.weight"), Math.sqrt(2 / (64 * 49.0)));
            FirstDeviations.assertUniform("fc", named.get("fc.weight"), 1 / Math.sqrt(512));
            FirstDeviations.assertUniform("fc bias", named.get("fc.bias"), 1 / Math.sqrt(512));
        }
    }

    @Test
    void cifarFormHasBiasesInBasicBlocksOnly() {
        try (var scope = Scope.open()) {
            assertThat(ResNet.cifar(Variant.RESNET18, 10, streams).parametersByName())
                    .containsKeys("layer1.0.conv1.bias", "layer4.0.downsample.0.bias")
                    .doesNotContainKey("conv1.bias");
            assertThat(ResNet.cifar(Variant.RESNET50, 10, streams).parametersByName())
                    .doesNotContainKeys("layer1.0.conv1.bias", "layer4.0.downsample.0.bias", "conv1.bias");
        }
    }

    /** One tap in each layer on the way, so that one pixel of the image is what the network sees. */
    @Test
    void cifarFormPadsAsTensorFlowDoesAndHasNoReluAfterTheStem() {
        try (var scope = Scope.withoutGradient()) {
            var network = ResNet.cifar(Variant.RESNET18, 10, streams);
            var named = network.parametersByName();
            named.values().stream()
                    .filter(parameter -> parameter.shape().length > 1)
                    .forEach(Tensor::zero_);
            tap(named.get("conv1.weight"), 1, -1);
            tap(named.get("layer1.0.downsample.0.weight"), 0, -1);
            tap(named.get("layer2.0.conv1.weight"), 2, 1);
            tap(named.get("layer2.0.conv2.weight"), 1, 1);
            tap(named.get("layer3.0.downsample.0.weight"), 0, 1);
            tap(named.get("layer4.0.downsample.0.weight"), 0, 1);
            named.get("fc.weight").get(0).get(0).fill_(new Scalar(1.0));
            // The last tap of a 3×3 kernel with stride 2: without padding before the image, its first place is on pixel
            // 2.
            for (int pixel = 0; pixel < 4; pixel++) {
                Tensor image = torch.zeros(1, 3, 16, 16);
                image.get(0).get(0).get(pixel).get(pixel).fill_(new Scalar(1.0));
                double logit =
                        network.forward(image, Forward.INFERENCE).get(0).get(0).item_double();
                // The mean of a 2×2 map with one pixel lit; each norm on the way divides by √(1 + ε).
                assertThat(logit).as("pixel " + pixel).isCloseTo(pixel == 2 ? 0.25 : 0, within(1e-4));
            }
        }
    }

    private static void tap(Tensor kernel, int place, double value) {
        kernel.get(0).get(0).get(place).get(place).fill_(new Scalar(value));
    }

    @Test
    void penaltyStepLowersTheLossInBothForms() {
        try (var scope = Scope.open()) {
            PenaltyStep.assertLowersTheLoss(ResNet.cifar(Variant.RESNET18, 10, streams), 16, 10);
            PenaltyStep.assertLowersTheLoss(ResNet.cifar(Variant.RESNET50, 10, streams), 16, 10);
            PenaltyStep.assertLowersTheLoss(ResNet.imageNet(Variant.RESNET18, 10, streams), 64, 10);
        }
    }
}
