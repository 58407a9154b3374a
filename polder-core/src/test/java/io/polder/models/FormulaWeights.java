package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.nn.Network;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Weights and images that follow from formulas, and the logits that other people's programs made of them in double precision.
 * Parameter number k has, over its flat index i, sin(0.37 i + k)/√(product of all dimensions but the first) if it has several
 * dimensions; 1 + 0.1 sin(i + k) if it is a normalisation's scale; 0.1 sin(i + k) if it is another vector. Images are sin(0.013 i).
 */
final class FormulaWeights {
    private FormulaWeights() {}

    /** @param file {@code models.json}, from the method authors' code, or {@code torchvision.json} */
    static JsonNode golden(String file, String model) {
        try (var stream = FormulaWeights.class.getResourceAsStream("/golden/" + file)) {
            for (JsonNode json : new ObjectMapper().readTree(stream)) {
                if (json.get("model").asText().equals(model)) {
                    return json;
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        throw new NoSuchElementException(model);
    }

    /** Puts the network in double precision and fills all parameters, numbered as they are registered. */
    static void fill(Network network) {
        network.inDoublePrecision();
        try (var scope = Scope.withoutGradient()) {
            int k = 0;
            for (var entry : network.parametersByName().entrySet()) {
                Tensor parameter = entry.getValue();
                try (var one = Scope.withoutGradient()) {
                    boolean scale = entry.getKey().endsWith("weight") && parameter.shape().length == 1;
                    parameter.copy_(scale ? scale(parameter.numel(), k) : values(k, parameter.shape()));
                }
                k++;
            }
        }
    }

    static Tensor values(int k, long... shape) {
        if (shape.length == 1) {
            return sines(1, k, shape).mul_(new Scalar(0.1));
        }
        long fan = Arrays.stream(shape).skip(1).reduce(1, (a, b) -> a * b);
        return sines(0.37, k, shape).div_(new Scalar(Math.sqrt(fan)));
    }

    static Tensor scale(long size, int k) {
        return sines(1, k, size).mul_(new Scalar(0.1)).add_(new Scalar(1.0));
    }

    static Tensor images(JsonNode golden) {
        int image = golden.get("image").asInt();
        return sines(0.013, 0, golden.get("batch").asInt(), 3, image, image);
    }

    private static Tensor sines(double frequency, int phase, long... shape) {
        long size = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        return torch.arange(new Scalar(size), new TensorOptions(torch.ScalarType.Double))
                .mul_(new Scalar(frequency))
                .add_(new Scalar((double) phase))
                .sin_()
                .view(shape);
    }

    /** Inference has nothing that amplifies rounding: nine digits of each logit. */
    static void assertLogits(Tensor logits, JsonNode expected) {
        assertLogits(logits, expected, value -> 1e-9 * Math.abs(value));
    }

    /** The first five classes of each row. */
    static void assertLogits(Tensor logits, JsonNode expected, DoubleUnaryOperator tolerance) {
        assertThat(logits.size(0)).isEqualTo(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(expected.get(i).size()).isEqualTo(5);
            for (int j = 0; j < expected.get(i).size(); j++) {
                double value = expected.get(i).get(j).asDouble();
                assertThat(logits.get(i).get(j).item_double())
                        .as("image " + i + ", class " + j)
                        .isCloseTo(value, within(tolerance.applyAsDouble(value)));
            }
        }
    }

    /** The same names and shapes as a golden {@code state_dict}, which writes {@code features.0.weight 64x3x3x3}. */
    static void assertStateDict(Network network, JsonNode golden) {
        List<String> expected = new ArrayList<>();
        golden.get("state_dict_names").forEach(line -> expected.add(line.asText()));
        assertThat(Stream.concat(
                                network.parametersByName().entrySet().stream(),
                                network.buffersByName().entrySet().stream())
                        .map(entry -> entry.getKey() + " " + shape(entry.getValue())))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    static String shape(Tensor tensor) {
        return Arrays.stream(tensor.shape()).mapToObj(Long::toString).collect(Collectors.joining("x"));
    }
}
