package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * One of the authors' models in {@code golden/models.json}, which is given {@link FormulaWeights}. Needs a network that registers its
 * parameters in the order in which its forward pass first uses them.
 */
final class GoldenModels {
    private final JsonNode json;

    private GoldenModels(JsonNode json) {
        this.json = json;
    }

    /** @param model as the authors' code names it, such as {@code WideResNet_16_4} */
    static GoldenModels of(String model) {
        return new GoldenModels(FormulaWeights.golden("models.json", model));
    }

    int classes() {
        return json.get("classes").asInt();
    }

    /** Kind and shape of each parameter, in the order of first use. */
    void assertParameters(Network network) {
        List<String> actual = new ArrayList<>();
        network.parametersByName().forEach((name, parameter) -> actual.add(kind(name, parameter)));
        List<String> expected = new ArrayList<>();
        json.get("parameters_in_order_of_first_use").forEach(parameter -> expected.add(parameter.asText()));
        assertThat(actual).isEqualTo(expected);
    }

    private static String kind(String name, Tensor parameter) {
        String kind = switch (parameter.shape().length) {
            case 4 -> "conv";
            case 2 -> "linear";
            default -> name.endsWith(".bias") ? "bias" : "scale";
        };
        return kind + " " + FormulaWeights.shape(parameter);
    }

    /** With running statistics as they are at first. */
    void assertInferenceLogits(Network network) {
        assertLogits("eval_logits", network, Forward.INFERENCE, 1e-9);
    }

    /** With the statistics of the batch. Their variance is E[x²] − E[x]², which cancels digits. */
    void assertTrainingLogits(Network network) {
        assertLogits("train_mode_logits", network, Forward.training(Pass.REFERENCE, null), 1e-5);
    }

    private void assertLogits(String key, Network network, Forward forward, double relativeError) {
        try (var scope = Scope.withoutGradient()) {
            Tensor logits = network.forward(FormulaWeights.images(json), forward);
            assertThat(logits.size(1)).isEqualTo(classes());
            FormulaWeights.assertLogits(logits, json.get(key), value -> relativeError * Math.abs(value));
        }
    }
}
