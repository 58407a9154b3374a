package io.polder.sharpness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.models.Architectures;
import io.polder.models.MultilayerPerceptron.Activation;
import io.polder.models.TorchScriptNetwork;
import io.polder.models.VisionTransformer;
import io.polder.models.WideResNet;
import io.polder.models.WideResNetShakeShake;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.sharpness.Spectrum.Eigenpair;
import io.polder.tensor.FlatVector;
import io.polder.tensor.Numbers;
import io.polder.tensor.OpenScope;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Batches;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The loss on fixed examples, its gradient and its Hessian. */
@ExtendWith(OpenScope.class)
class FixedLossTest {
    @ParameterizedTest
    @CsvSource({"20", "7"})
    void productsAreThoseOfTheFullHessian(int batch) {
        var loss = Measured.loss(
                Measured.perceptron(Activation.TANH),
                Measured.examples(20, batch, 6),
                new FixedLoss.Settings(20, BatchStatistics.EVALUATION, 0.05, true));
        double[][] full = Measured.fullHessian(loss);
        FlatVector direction = loss.parameters().values().zerosLike().setNormal(Measured.STREAMS, "direction", 0);
        double[] v = direction.toArray();
        FlatVector product = direction.zerosLike();
        try (var hessian = loss.hessian()) {
            for (int time = 0; time < 2; time++) { // the second time by what was kept
                hessian.apply(direction, product);
                double[] found = product.toArray();
                for (int i = 0; i < v.length; i++) {
                    double expected = 0;
                    for (int j = 0; j < v.length; j++) {
                        expected += full[j][i] * v[j];
                    }
                    assertThat(found[i]).isCloseTo(expected, within(1e-6));
                }
            }
        }
    }

    @Test
    void theSpectrumIsThatOfTheFullHessian() {
        var loss = Measured.loss(
                Measured.perceptron(Activation.TANH), Measured.examples(20, 20, 6), FixedLoss.Settings.plain());
        double[][] full = Measured.fullHessian(loss);
        double[] flat = new double[full.length * full.length];
        double sum = 0;
        for (int i = 0; i < full.length; i++) {
            sum += full[i][i];
            System.arraycopy(full[i], 0, flat, i * full.length, full.length);
        }
        double[] eigenvalues = Numbers.of(torch.linalg_eigvalsh(Tensor.create(flat, full.length, full.length)));
        FlatVector like = loss.parameters().values();
        try (var hessian = loss.hessian();
                var spectrum = Spectrum.of(hessian, like, new Spectrum.Wanted(5, 1e-8, 200), Measured.STREAMS)) {
            for (int i = 0; i < 5; i++) {
                assertThat(spectrum.largest().get(i).value())
                        .isCloseTo(eigenvalues[eigenvalues.length - 1 - i], within(1e-6));
            }
            assertThat(spectrum.lowest().value()).isCloseTo(eigenvalues[0], within(1e-6));
            Trace trace = Trace.of(hessian, like, 100, Measured.STREAMS);
            assertThat(trace.value()).isCloseTo(sum, within(4 * trace.standardError()));
        }
    }

    /** See tools/golden-sharpness.py. */
    @Test
    void theNumbersAreThoseOfPyHessian() throws IOException {
        JsonNode golden = new ObjectMapper().readTree(FixedLossTest.class.getResourceAsStream("pyhessian.json"));
        int examples = 20;
        Network network = Measured.perceptron(Activation.TANH);
        var loss = Measured.loss(
                network,
                Batches.inOrder(examples, examples, (numbers, device) -> {
                    Tensor targets = torch.zeros(new long[] {examples, 4}, inDouble());
                    for (int i = 0; i < examples; i++) {
                        targets.narrow(0, i, 1).narrow(1, i % 4, 1).fill_(new Scalar(1.0));
                    }
                    double[] inputs = IntStream.range(0, 6 * examples)
                            .mapToDouble(k -> Math.cos(0.3 * k))
                            .toArray();
                    return new Batches.Examples(Tensor.create(inputs, examples, 6), targets);
                }),
                FixedLoss.Settings.plain());
        FlatVector theta = loss.parameters().values();
        double[] weights = IntStream.range(0, (int) theta.size())
                .mapToDouble(k -> Math.sin(1 + 0.7 * k) / 2)
                .toArray();
        theta.set(Measured.like(theta, weights));
        try (var hessian = loss.hessian();
                var spectrum = Spectrum.of(hessian, theta, new Spectrum.Wanted(4, 1e-9, 200), Measured.STREAMS)) {
            List<Double> expected =
                    new ObjectMapper().convertValue(golden.get("eigenvalues"), new TypeReference<List<Double>>() {});
            assertThat(spectrum.largest())
                    .extracting(Eigenpair::value)
                    // Its vectors are divided by their norm + 1e-6, so its values are too small by the square of that.
                    .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-8 ? 0 : Double.compare(a, b))
                    .containsExactlyElementsOf(expected.stream()
                            .map(value -> value * 1.000001 * 1.000001)
                            .toList());
            Trace trace = Trace.of(hessian, theta, 1000, Measured.STREAMS);
            double both =
                    Math.hypot(trace.standardError(), golden.get("traceError").asDouble());
            assertThat(trace.value()).isCloseTo(golden.get("trace").asDouble(), within(4 * both));
            // Its density's outermost nodes are near the outermost eigenvalues.
            assertThat(spectrum.largest().get(0).value())
                    .isCloseTo(golden.get("highestNode").asDouble(), within(1e-4));
            assertThat(spectrum.lowest().value())
                    .isCloseTo(golden.get("lowestNode").asDouble(), within(1e-3));
        }
    }

    private static TensorOptions inDouble() {
        return new TensorOptions(torch.ScalarType.Double);
    }

    private enum Kind {
        BATCH_NORM,
        SHAKE,
        ATTENTION,
        TORCH_SCRIPT;

        Network network() {
            Network network = switch (this) {
                case BATCH_NORM -> new WideResNet(10, 1, 3, Measured.CLASSES, Measured.STREAMS);
                case SHAKE -> new WideResNetShakeShake(8, 3, Measured.CLASSES, Measured.STREAMS);
                case ATTENTION ->
                    new VisionTransformer(
                            VisionTransformer.Settings.of(VisionTransformer.Size.TINY, 8, 16, Measured.CLASSES),
                            Measured.STREAMS);
                case TORCH_SCRIPT -> script();
            };
            return network.inDoublePrecision();
        }

        Batches examples() {
            return this == TORCH_SCRIPT ? Measured.examples(8, 4, 1, 8, 8) : Measured.examples(8, 4, 3, 16, 16);
        }

        private static Network script() {
            try {
                return TorchScriptNetwork.load(Path.of(
                        FixedLossTest.class.getResource("/torchscript/tiny.ts").toURI()));
            } catch (IOException | URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theHessianIsSymmetricAndTheNetworkIsLeftAsItWas(Kind kind) {
        for (BatchStatistics statistics : BatchStatistics.values()) {
            Network network = kind.network();
            var loss = Measured.loss(network, kind.examples(), Measured.by(statistics));
            Map<String, Integer> before = state(network);
            FlatVector u = loss.parameters().values().zerosLike().setNormal(Measured.STREAMS, "u", 0);
            FlatVector v = u.zerosLike().setNormal(Measured.STREAMS, "v", 0);
            FlatVector hu = u.zerosLike();
            FlatVector hv = u.zerosLike();
            try (var hessian = loss.hessian()) {
                hessian.apply(u, hu);
                hessian.apply(v, hv);
            }
            assertThat(hu.norm()).isPositive();
            assertThat(v.dot(hu)).isCloseTo(u.dot(hv), within(1e-10 * hu.norm() * v.norm()));
            loss.gradient();
            loss.value();
            loss.mSharpness(2, 0.1);
            Ascent.of(loss, 0.1, 3, Ascent.Distance.L2);
            assertThat(state(network)).isEqualTo(before);
        }
    }

    /** The hash of each tensor: some have millions of numbers. */
    private static Map<String, Integer> state(Network network) {
        Map<String, Integer> state = new LinkedHashMap<>();
        network.parametersByName().forEach((name, tensor) -> state.put(name, Arrays.hashCode(Numbers.of(tensor))));
        network.buffersByName().forEach((name, tensor) -> state.put(name, Arrays.hashCode(Numbers.of(tensor))));
        return state;
    }

    @Test
    void theBatchesThatExamplesComeInDoNotMatterAndSamplesAreTheFirst() {
        var network = Measured.perceptron(Activation.RELU);
        double[] whole = valueAndGradient(network, Measured.examples(20, 20, 6), 20);
        double[] parts = valueAndGradient(network, Measured.examples(20, 3, 6), 20);
        double[] ofMore = valueAndGradient(network, Measured.examples(50, 3, 6), 20);
        for (int i = 0; i < whole.length; i++) {
            assertThat(parts[i]).isCloseTo(whole[i], within(1e-12));
            assertThat(ofMore[i]).isCloseTo(whole[i], within(1e-12));
        }
    }

    private static double[] valueAndGradient(Network network, Batches examples, int samples) {
        var loss = Measured.loss(
                network, examples, new FixedLoss.Settings(samples, BatchStatistics.EVALUATION, 0.1, false));
        double value = loss.gradient();
        assertThat(loss.value()).isCloseTo(value, within(1e-12));
        double[] gradient = loss.parameters().gradient().toArray();
        double[] both = Arrays.copyOf(gradient, gradient.length + 1);
        both[gradient.length] = value;
        return both;
    }

    @Test
    void weightsThatAreNotFiniteAreRefusedInASentence() {
        var network = Measured.perceptron(Activation.RELU);
        try (var scope = Scope.withoutGradient()) {
            network.parametersByName().get("layer1.bias").narrow(0, 0, 1).fill_(new Scalar(Double.NaN));
        }
        assertThatThrownBy(() -> Measured.loss(network, Measured.examples(4, 4, 6), FixedLoss.Settings.plain()))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("weights that are not finite")
                .hasMessageContaining("checkpoint");
    }

    @Test
    void anOperationWithoutSecondDerivativeIsNamed() {
        Network network = new Network() {
            private final Tensor centres = torch.ones(4, 6).set_requires_grad(true);

            {
                register_parameter("centres", centres);
            }

            @Override
            public Tensor forward(Tensor images, Forward forward) {
                return torch.cdist(images, centres);
            }
        };
        var loss = Measured.loss(network, Measured.examples(4, 4, 6), FixedLoss.Settings.plain());
        FlatVector v = loss.parameters().values().zerosLike().add(1);
        try (var hessian = loss.hessian()) {
            assertThatThrownBy(() -> hessian.apply(v, v.zerosLike()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("_cdist")
                    .hasMessageContaining("no second derivative");
        }
    }

    @Test
    void adaptiveSharpnessIsTheSameForARescaledNetwork() {
        var network = Measured.perceptron(Activation.RELU);
        var examples = Measured.examples(20, 20, 6);
        var loss = Measured.loss(network, examples, FixedLoss.Settings.plain());
        double value = loss.value();
        double adaptive = Ascent.of(loss, 0.5, 4, Ascent.Distance.ADAPTIVE).sharpness();
        double plain = Ascent.of(loss, 0.5, 4, Ascent.Distance.L2).sharpness();
        try (var scope = Scope.withoutGradient()) { // the same function: ReLU(8x)/8 = ReLU(x)
            network.parametersByName().get("layer1.weight").mul_(new Scalar(8.0));
            network.parametersByName().get("layer1.bias").mul_(new Scalar(8.0));
            network.parametersByName().get("layer2.weight").div_(new Scalar(8.0));
        }
        assertThat(loss.value()).isCloseTo(value, within(1e-12));
        assertThat(Ascent.of(loss, 0.5, 4, Ascent.Distance.ADAPTIVE).sharpness())
                .isCloseTo(adaptive, within(1e-12));
        assertThat(Ascent.of(loss, 0.5, 4, Ascent.Distance.L2).sharpness()).isNotCloseTo(plain, within(1e-3));
    }

    @Test
    void sharpnessIsTheRiseAtSamsPointAndMoreStepsNeverFindLess() {
        var loss = Measured.loss(
                Measured.perceptron(Activation.TANH), Measured.examples(20, 20, 6), FixedLoss.Settings.plain());
        double rho = 0.3;
        double before = loss.gradient();
        FlatVector theta = loss.parameters().values();
        FlatVector gradient = loss.parameters().gradient();
        double norm = gradient.norm();
        double after;
        double steepest;
        try (var there = loss.parameters().excursion()) {
            there.values().setSum(theta, rho / norm, gradient);
            after = loss.gradient();
            steepest = there.gradient().norm();
        }
        Ascent one = Ascent.of(loss, rho, 1, Ascent.Distance.L2);
        assertThat(one.oneStep()).isCloseTo(after - before, within(1e-14)).isEqualTo(one.sharpness());
        Ascent more = Ascent.of(loss, rho, 8, Ascent.Distance.L2);
        assertThat(more.oneStep()).isEqualTo(one.oneStep());
        assertThat(more.sharpness()).isGreaterThanOrEqualTo(one.sharpness());
        assertThat(more.lipschitz()).isGreaterThanOrEqualTo(Math.max(norm, steepest));
        // What the paper argues by the mean value theorem.
        assertThat(more.sharpness()).isLessThanOrEqualTo(rho * more.lipschitz());
        // All examples as one group are SAM's sharpness; small groups, each with its own direction, rise more.
        assertThat(loss.mSharpness(20, rho)).isCloseTo(one.oneStep(), within(1e-12));
        assertThat(loss.mSharpness(2, rho)).isGreaterThan(one.oneStep());
    }

    @Test
    void everyMeasureCanBeRead() {
        var loss = Measured.loss(
                Architectures.named("resnet-small").build(1, 28, Measured.CLASSES, Measured.STREAMS),
                Measured.examples(12, 6, 1, 28, 28),
                FixedLoss.Settings.plain());
        Effort effort = new Effort(2, 0.05, 8, 2, 1, 4, 0.1, 2, 4, 1);
        for (Measure measure : Measure.values()) {
            Reading reading = measure.read(loss, effort);
            assertThat(reading.figures()).isNotEmpty();
            assertThat(reading.figures().values())
                    .allSatisfy(value -> assertThat(value).isFinite());
            assertThat(measure.read(loss, effort)).as("again").isEqualTo(reading);
        }
    }

    @Test
    void theApproximationErrsByTaylorAboveAndByRoundingBelow() {
        Network exact = Measured.perceptron(Activation.TANH);
        Network single = Measured.perceptron(Activation.TANH);
        try (var scope = Scope.withoutGradient()) {
            single.parametersByName().values().forEach(tensor -> tensor.set_data(tensor.to(torch.ScalarType.Float)));
        }
        var examples = Measured.examples(20, 20, 6);
        var found = Approximation.of(
                Measured.loss(single, examples, FixedLoss.Settings.plain()),
                Measured.loss(exact, examples, FixedLoss.Settings.plain()));
        assertThat(found.single()).isLessThan(1e-4);
        var points = found.points();
        var tiny = points.get(0);
        var huge = points.get(points.size() - 1);
        assertThat(tiny.cause()).isEqualTo(Approximation.Cause.ROUNDING);
        assertThat(huge.cause()).isEqualTo(Approximation.Cause.TAYLOR);
        assertThat(huge.exact()).isGreaterThan(Approximation.GOOD);
        assertThat(points.indexOf(found.best())).isStrictlyBetween(0, points.size() - 1);
        assertThat(found.good()).contains(found.best()).doesNotContain(huge);
        // Half a decade less is √10 times less of an error, where it is Taylor's.
        double ratio = points.get(8).exact() / points.get(7).exact();
        assertThat(ratio).isCloseTo(Math.sqrt(10), within(0.3));
    }

    @Test
    void theCentreOfALandscapeIsTheLossAndItsEndsAreTheNetworks() {
        var examples = Measured.examples(12, 6, 3, 16, 16);
        Network network = Kind.BATCH_NORM.network();
        Network other = new WideResNet(10, 1, 3, Measured.CLASSES, new RandomStreams(8)).inDoublePrecision();
        var loss = Measured.loss(network, examples, FixedLoss.Settings.plain());
        var end = Measured.loss(other, examples, Measured.by(BatchStatistics.EVALUATION));
        try (var scope = Scope.withoutGradient()) { // as training would leave them
            other.statisticsByName().values().stream()
                    .filter(Tensor::is_floating_point)
                    .forEach(buffer -> buffer.mul_(new Scalar(1.5)));
        }
        Map<String, Integer> before = state(network);
        FlatVector u = Landscape.filterNormalised(loss.parameters(), Measured.STREAMS, 0);
        FlatVector v = Landscape.filterNormalised(loss.parameters(), Measured.STREAMS, 1);
        Landscape plane = Landscape.plane(loss, u, v, 0.5, 3);
        assertThat(plane.losses()[1][1]).isEqualTo(loss.value());
        assertThat(plane.losses()[0][0]).isNotEqualTo(plane.losses()[2][2]);
        assertThat(Landscape.line(loss, u, 0.5, 3).losses()[0]).containsExactly(plane.losses()[1], within(0.0));

        Landscape between = Landscape.between(loss, end, 5);
        assertThat(between.losses()[0][1]).isCloseTo(loss.value(), within(1e-12));
        assertThat(between.losses()[0][3]).isCloseTo(end.value(), within(1e-12));
        assertThat(state(network)).isEqualTo(before);

        // Each filter of the direction is as long as the network's, and what is no filter stays.
        var directions = loss.parameters().byName(u);
        loss.parameters().byName(loss.parameters().values()).forEach((name, weights) -> {
            double length = directions.get(name).norm().item_double();
            assertThat(length).isCloseTo(weights.dim() < 2 ? 0 : weights.norm().item_double(), within(1e-10));
        });
    }
}
