package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * The logits of the authors' models in {@code golden/models.json}, for weights and images that follow from formulas. Needs a network
 * that registers its parameters in the order in which its forward pass first uses them.
 */
final class GoldenModels {
    private final JsonNode json;

    private GoldenModels(JsonNode json) {
        this.json = json;
    }

    /** @param model as the authors' code names it, such as {@code WideResNet_16_4} */
    static GoldenModels of(String model) {
        try (var file = GoldenModels.class.getResourceAsStream("/golden/models.json")) {
            for (JsonNode json : new ObjectMapper().readTree(file)) {
                if (json.get("model").asText().equals(model)) {
                    return new GoldenModels(json);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalArgumentException("model is " + model + ": it must be one of golden/models.json");
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
        return kind + " "
                + Arrays.stream(parameter.shape()).mapToObj(Long::toString).collect(Collectors.joining("x"));
    }

    /**
     * Puts the network in double precision and gives parameter k its formula: sin(0.37 i + k)/√(inputs of one output) where it has
     * two dimensions or more, 1 + 0.1 sin(i + k) for a normalisation's scale, 0.1 sin(i + k) for other vectors.
     */
    static void setWeights(Network network) {
        network.inDoublePrecision();
        try (var scope = Scope.withoutGradient()) {
            int k = 0;
            for (var entry : network.parametersByName().entrySet()) {
                Tensor parameter = entry.getValue();
                String kind = kind(entry.getKey(), parameter);
                double[] values = new double[(int) parameter.numel()];
                double root = Math.sqrt(values.length / (double) parameter.size(0));
                for (int i = 0; i < values.length; i++) {
                    values[i] = parameter.shape().length > 1
                            ? Math.sin(0.37 * i + k) / root
                            : (kind.startsWith("scale") ? 1 : 0) + 0.1 * Math.sin(i + k);
                }
                parameter.copy_(tensor(values, parameter.shape()));
                k++;
            }
        }
    }

    /** With running statistics as they are at first. */
    void assertInferenceLogits(Network network, double relativeError) {
        assertLogits("eval_logits", network, Forward.INFERENCE, relativeError);
    }

    /** With the statistics of the batch. */
    void assertTrainingLogits(Network network, double relativeError) {
        assertLogits("train_mode_logits", network, Forward.training(Pass.REFERENCE, null), relativeError);
    }

    private void assertLogits(String key, Network network, Forward forward, double relativeError) {
        JsonNode rows = json.get(key);
        try (var scope = Scope.withoutGradient()) {
            Tensor logits = network.forward(images(), forward);
            assertThat(logits.shape()).containsExactly(rows.size(), classes());
            for (int row = 0; row < rows.size(); row++) {
                for (int i = 0; i < rows.get(row).size(); i++) {
                    double expected = rows.get(row).get(i).asDouble();
                    assertThat(logits.get(row).get(i).item_double())
                            .as("%s of image %d, class %d", key, row, i)
                            .isCloseTo(expected, within(relativeError * Math.abs(expected)));
                }
            }
        }
    }

    /** sin(0.013 i) */
    private Tensor images() {
        long size = json.get("image").asLong();
        long[] shape = {json.get("batch").asLong(), 3, size, size};
        double[] values = new double[(int) (shape[0] * 3 * size * size)];
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.sin(0.013 * i);
        }
        return tensor(values, shape);
    }

    private static Tensor tensor(double[] values, long[] shape) {
        return torch.from_blob(new DoublePointer(values), shape, new TensorOptions(torch.ScalarType.Double))
                .clone();
    }
}
