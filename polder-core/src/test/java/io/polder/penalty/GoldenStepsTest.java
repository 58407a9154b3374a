package io.polder.penalty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.MultilayerPerceptron;
import io.polder.nn.Dropout;
import io.polder.optim.AdamW;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Optimizer;
import io.polder.optim.Sgd;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Precision;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole training steps against numbers from the authors' public code. */
class GoldenStepsTest {
    record Golden(String name, JsonNode json) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Golden> cases() throws IOException {
        List<Golden> cases = new ArrayList<>();
        try (var file = GoldenStepsTest.class.getResourceAsStream("/golden/training-steps.json")) {
            for (JsonNode json : new ObjectMapper().readTree(file)) {
                cases.add(new Golden(json.get("name").asText(), json));
            }
        }
        assertThat(cases).hasSize(10);
        return cases.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void stepsEqualThoseOfTheAuthorsCode(Golden golden) {
        JsonNode json = golden.json();
        // The authors' code computes the warm-up factor in single precision.
        double tolerance = json.get("warmup").isNull() ? 1e-12 : 1e-7;
        List<Integer> widths = new ArrayList<>();
        json.get("layers").forEach(width -> widths.add(width.asInt()));
        int batch = json.get("batch").asInt();
        int inputs = widths.get(0);
        int classes = widths.get(widths.size() - 1);
        double phase = json.get("phase").asDouble();
        var clip = new ClipByGlobalNorm(json.get("clip").asDouble());
        var options = new PassOptions(
                json.get("l2").asDouble(),
                json.get("l2_skips_vectors").asBoolean(),
                Integer.MAX_VALUE,
                Precision.FLOAT32);
        var streams = new RandomStreams(0);

        try (var run = Scope.open();
                Optimizer optimizer = optimizer(json)) {
            var network = new MultilayerPerceptron(
                            widths, MultilayerPerceptron.Activation.TANH, new Dropout(0), streams)
                    .inDoublePrecision();
            var named = network.parametersByName();
            setWeights(named, phase, json.get("scale").asDouble());
            try (var parameters = FlatParameters.of(named);
                    var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), options, streams)) {
                var scheme = scheme(json);
                int s = 0;
                for (JsonNode expected : json.get("steps")) {
                    Tensor images = sines(new long[] {batch, inputs}, 0.11 * (s + 1), phase, 1);
                    Tensor targets = torch.zeros(new long[] {batch, classes}, doubles());
                    for (int i = 0; i < batch; i++) {
                        targets.get(i).get((7 * i + 3 * s) % classes).fill_(new org.bytedeco.pytorch.Scalar(1.0));
                    }
                    var gradient = scheme.computeGradient(pass.on(images, targets, s), parameters, s);
                    clip.apply(parameters, gradient.norm());
                    optimizer.step(parameters, json.get("learning_rate").asDouble());

                    assertThat(parameters.gradient().norm())
                            .as("gradient norm of step " + s)
                            .isCloseTo(expected.get("gradient_norm_after_clip").asDouble(), within(tolerance));
                    assertThat(parameters.values().norm())
                            .as("parameter norm of step " + s)
                            .isCloseTo(expected.get("parameter_norm").asDouble(), within(tolerance));
                    s++;
                }
                assertThat(s).isGreaterThanOrEqualTo(5);
                JsonNode last = json.get("first_four_of_each_parameter_after_last_step");
                for (int k = 0; k + 1 < widths.size(); k++) {
                    // Their weights are [in, out], ours as PyTorch's [out, in].
                    Tensor weight = named.get("layer" + (k + 1) + ".weight").t().contiguous();
                    assertStartsWith(last.get("w" + k), weight, tolerance);
                    assertStartsWith(last.get("b" + k), named.get("layer" + (k + 1) + ".bias"), tolerance);
                }
            }
        }
    }

    private static GradientScheme scheme(JsonNode json) {
        double r = json.get("r").asDouble();
        double alpha = json.get("alpha").asDouble();
        if (json.get("name").asText().equals("standard")) {
            return GradientScheme.standard();
        }
        var coefficients = new Coefficients(Schedule.constant(r), Schedule.constant(alpha));
        JsonNode warmup = json.get("warmup");
        if (!warmup.isNull()) {
            long steps = warmup.get("steps").asLong();
            coefficients = warmup.get("what").asText().equals("r")
                    ? coefficients.warmUpRadius(steps)
                    : coefficients.warmUpLambda(steps);
        }
        return new GradientNormPenalty(
                coefficients,
                Perturbation.L2,
                Mix.valueOf(json.get("mix").asText().toUpperCase()));
    }

    private static Optimizer optimizer(JsonNode json) {
        return json.get("optimizer").asText().equals("sgd")
                ? new Sgd(0.9, true)
                : new AdamW(new AdamW.Settings(0.9, 0.999, 1e-8, 0.03));
    }

    /** w_k = sin(0.7 n + phase + k)·scale/√in and b_k = 0.1·sin(1.3 n + phase + k), n = 1, 2, … in row-major order. */
    private static void setWeights(Map<String, Tensor> named, double phase, double scale) {
        try (var scope = Scope.withoutGradient()) {
            for (int k = 0; named.containsKey("layer" + (k + 1) + ".weight"); k++) {
                Tensor weight = named.get("layer" + (k + 1) + ".weight");
                Tensor bias = named.get("layer" + (k + 1) + ".bias");
                long in = weight.size(1);
                long out = weight.size(0);
                weight.copy_(sines(new long[] {in, out}, 0.7, phase + k, scale / Math.sqrt(in))
                        .t());
                bias.copy_(sines(new long[] {out}, 1.3, phase + k, 0.1));
            }
        }
    }

    private static Tensor sines(long[] shape, double frequency, double phase, double scale) {
        int size = 1;
        for (long length : shape) {
            size *= (int) length;
        }
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = Math.sin(frequency * (i + 1) + phase) * scale;
        }
        return torch.from_blob(new DoublePointer(values), shape, doubles()).clone();
    }

    private static TensorOptions doubles() {
        return new TensorOptions(torch.ScalarType.Double);
    }

    private static void assertStartsWith(JsonNode expected, Tensor actual, double tolerance) {
        assertThat(expected.size()).isPositive();
        Tensor flat = actual.detach().flatten();
        for (int i = 0; i < expected.size(); i++) {
            assertThat(flat.get(i).item_double()).isCloseTo(expected.get(i).asDouble(), within(tolerance));
        }
    }
}
