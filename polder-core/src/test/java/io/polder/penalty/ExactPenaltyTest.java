package io.polder.penalty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.ResidualNetwork;
import io.polder.models.VisionTransformer;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Numbers;
import io.polder.tensor.OpenScope;
import io.polder.tensor.Precision;
import io.polder.tensor.RandomStreams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exact scheme beside the finite difference that it is the limit of. */
@ExtendWith(OpenScope.class)
class ExactPenaltyTest {
    private static final int BATCH = 6;
    private static final double LAMBDA = 0.08;

    private final RandomStreams streams = new RandomStreams(2);

    /** In double precision, with L2, in micro-batches, with running statistics and dropout: all of it is in H. */
    @ParameterizedTest
    @ValueSource(strings = {"residual", "attention"})
    void theFiniteDifferenceTendsToItWithTheRadius(String kind) {
        double[] exact = gradient(kind, new ExactPenalty(Schedule.constant(LAMBDA)));
        double[] standard = gradient(kind, GradientScheme.standard());
        double[] errors = new double[2];
        for (int i = 0; i < 2; i++) {
            double r = i == 0 ? 1e-3 : 1e-4;
            double[] difference = gradient(kind, GradientScheme.gradientNormPenalty(r, LAMBDA / r));
            errors[i] = distance(difference, exact) / distance(exact, standard);
        }
        assertThat(errors[1]).isLessThan(1e-2);
        if (!kind.equals("residual")) { // whose ReLUs have corners, so that the error has no first order
            assertThat(errors[1]).isLessThan(0.2 * errors[0]);
        }
    }

    @Test
    void itLeavesRunningStatisticsAsOnePassDoes() {
        Map<String, double[]> afterOne = new LinkedHashMap<>();
        Map<String, double[]> afterExact = new LinkedHashMap<>();
        for (boolean isExact : new boolean[] {false, true}) {
            Network network = network("residual");
            compute(network, isExact ? new ExactPenalty(Schedule.constant(1)) : GradientScheme.standard());
            network.buffersByName()
                    .forEach((name, tensor) -> (isExact ? afterExact : afterOne).put(name, Numbers.of(tensor)));
        }
        assertThat(afterExact).usingRecursiveComparison().isEqualTo(afterOne);
    }

    @Test
    void lambdaZeroIsStandardBitForBit() {
        assertThat(gradient("residual", new ExactPenalty(Schedule.constant(0))))
                .isEqualTo(gradient("residual", GradientScheme.standard()));
    }

    @Test
    void anOperationWithoutSecondDerivativeIsNamedAndLeavesNoTrace() {
        Network network = new Network() {
            private final Tensor centres = torch.ones(3, 192).set_requires_grad(true);

            {
                register_parameter("centres", centres);
            }

            @Override
            public Tensor forward(Tensor images, Forward forward) {
                return torch.cdist(images.flatten(1, -1), centres);
            }
        };
        assertThatThrownBy(() -> compute(network.inDoublePrecision(), new ExactPenalty(Schedule.constant(1))))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("computes with _cdist, which has no second derivative");
    }

    private double[] gradient(String kind, GradientScheme scheme) {
        return compute(network(kind), scheme);
    }

    private double[] compute(Network network, GradientScheme scheme) {
        var parameters = FlatParameters.of(network.parametersByName());
        var options = new PassOptions(1e-2, true, 4, Precision.FLOAT32);
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0.1), options, streams);
        var generator = new GeneratorOptional(streams.generator("images"));
        var inDouble = new TensorOptions(torch.ScalarType.Double);
        Tensor images = torch.randn(new long[] {BATCH, 3, 8, 8}, generator, inDouble);
        Tensor targets = torch.eye(3, inDouble).repeat(2, 1);
        scheme.computeGradient(pass.on(images, targets, 5), parameters, 5);
        return parameters.gradient().toArray();
    }

    private Network network(String kind) {
        Network network = switch (kind) {
            case "residual" -> new ResidualNetwork(3, List.of(8, 8), 1, 3, streams);
            default ->
                new VisionTransformer(
                        VisionTransformer.Settings.of(VisionTransformer.Size.TINY, 4, 8, 3)
                                .withDropout(0.1),
                        streams);
        };
        return network.inDoublePrecision();
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(sum);
    }
}
