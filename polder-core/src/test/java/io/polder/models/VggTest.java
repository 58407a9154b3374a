package io.polder.models;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.models.Vgg.Variant;
import io.polder.nn.Forward;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.junit.jupiter.api.Test;

class VggTest {
    private final RandomStreams streams = new RandomStreams(2);

    @Test
    void logitsAreThoseOfTheAuthorsCode() {
        var golden = GoldenModels.of("VGG16BN");
        try (var scope = Scope.open()) {
            var network = Vgg.cifar(Variant.VGG16_BN, golden.classes(), streams);
            golden.assertParameters(network);
            FormulaWeights.fill(network);
            golden.assertInferenceLogits(network);
        }
    }

    /** One test for all that needs the 138 million parameters, which take seconds to make. */
    @Test
    void imageNetFormHasTorchvisionsNamesShapesFirstWeightsAndLogits() {
        JsonNode golden = FormulaWeights.golden("torchvision.json", "vgg16_bn");
        try (var scope = Scope.withoutGradient()) {
            var network = Vgg.imageNet(Variant.VGG16_BN, 1000, streams);
            FormulaWeights.assertStateDict(network, golden);

            var named = network.parametersByName();
            FirstDeviations.assertNormal("conv", named.get("features.40.weight"), Math.sqrt(2 / (512 * 9.0)));
            FirstDeviations.assertNormal("dense", named.get("classifier.3.weight"), 0.01);
            FirstDeviations.assertNormal("head", named.get("classifier.6.weight"), 0.01);
            FirstDeviations.assertConstant("bias", named.get("classifier.6.bias"), 0);

            FormulaWeights.fill(network);
            FormulaWeights.assertLogits(
                    network.forward(FormulaWeights.images(golden), Forward.INFERENCE), golden.get("eval_logits"));
        }
    }

    @Test
    void firstWeightsAreSpreadAsTheAuthors() {
        try (var scope = Scope.open()) {
            Vgg.cifar(Variant.VGG16_BN, 10, streams).parametersByName().forEach((name, parameter) -> {
                long outputs = parameter.size(0);
                switch (parameter.shape().length) {
                    case 4 -> FirstDeviations.assertNormal(name, parameter, Math.sqrt(2 / (outputs * 9.0)));
                    case 2 -> FirstDeviations.assertUniform(name, parameter, 1 / Math.sqrt(outputs));
                    default -> FirstDeviations.assertConstant(name, parameter, name.endsWith("bias") ? 0 : 1);
                }
            });
        }
    }

    @Test
    void penaltyStepLowersTheLoss() {
        try (var scope = Scope.open()) {
            PenaltyStep.assertLowersTheLoss(Vgg.cifar(Variant.VGG16_BN, 10, streams), 32, 10);
        }
    }

    private static Variant variant(String model) {
        return Variant.valueOf(model.replace('-', '_'));
    }
}
