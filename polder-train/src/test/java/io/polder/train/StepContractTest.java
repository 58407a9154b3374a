package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.MultilayerPerceptron;
import io.polder.models.MultilayerPerceptron.Activation;
import io.polder.models.ResidualNetwork;
import io.polder.nn.Dropout;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.NonFiniteStepException;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.OpenScope;
import io.polder.tensor.Precision;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of a step (F1–F4, F10), on networks with everything that could break it. */
@ExtendWith(OpenScope.class)
class StepContractTest {
    private static final int BATCH = 12;
    private static final int CLASSES = 4;

    private final RandomStreams streams = new RandomStreams(11);

    @Test
    void f1BothPassesSeeTheSameDraws() {
        var network = perceptron(0.5);
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
        pass.on(images(), targets(), 3);

        double reference = pass.compute(Pass.REFERENCE);
        double[] g1 = parameters.gradient().toArray();
        // At the same parameters the second pass must be the first again: all that differs is the parameters.
        assertThat(pass.compute(Pass.PERTURBED)).isEqualTo(reference);
        assertThat(parameters.gradient().toArray()).isEqualTo(g1);
        // And dropout does draw: another step has another loss.
        assertThat(pass.on(images(), targets(), 4).compute(Pass.REFERENCE)).isNotEqualTo(reference);
    }

    @Test
    void f2OnlyTheReferencePassTouchesRunningStatistics() {
        var network = residualNetwork();
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
        pass.on(images(), targets(), 0);

        // What standard training leaves behind, from the same start …
        var twin = residualNetwork();
        var twinParameters = FlatParameters.of(twin.parametersByName());
        var twinPass = new NetworkPass(twin, twinParameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
        GradientScheme.standard().computeGradient(twinPass.on(images(), targets(), 0), twinParameters, 0);
        // … is what the penalty leaves behind, though its second pass ran far away.
        GradientScheme.gradientNormPenalty(10, 0.8).computeGradient(pass, parameters, 0);

        var expected = twin.buffersByName();
        assertThat(expected).hasSize(7 * 3);
        network.buffersByName()
                .forEach((name, buffer) ->
                        assertThat(buffer.equal(expected.get(name))).as(name).isTrue());
        assertThat(expected.get("norm.running_mean").abs().sum().item_double()).isPositive();
    }

    @Test
    void f3ThetaIsRestoredBitForBitOnARealNetwork() {
        var network = residualNetwork();
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
        double[] before = parameters.values().toArray();
        var scheme = GradientScheme.gradientNormPenalty(0.37, 0.7);
        for (int step = 0; step < 20; step++) {
            scheme.computeGradient(pass.on(images(), targets(), step), parameters, step);
        }
        assertThat(parameters.values().toArray()).isEqualTo(before);
    }

    @Test
    void f4ImageWithNaNStopsTheStepAndLeavesTheta() {
        var network = residualNetwork();
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
        double[] before = parameters.values().toArray();
        Tensor broken = images();
        broken.get(5).fill_(new Scalar(Double.NaN));
        for (var scheme : List.of(GradientScheme.standard(), GradientScheme.sam(0.1))) {
            assertThatThrownBy(() -> scheme.computeGradient(pass.on(broken, targets(), 77), parameters, 77))
                    .isInstanceOf(NonFiniteStepException.class)
                    .hasMessageContaining("step 77");
            assertThat(parameters.values().toArray()).isEqualTo(before);
        }
    }

    /** Whole, and in parts of which the first is in order: image 7 is in the second of five. */
    @Test
    void f4ARefusedStepLeavesRunningStatisticsBitForBit() {
        Tensor broken = images();
        broken.get(7).fill_(new Scalar(Double.NaN));
        for (int microBatch : new int[] {BATCH, 5}) {
            var refused = new RefusedStep(microBatch);
            refused.assertLeavesNoTrace(GradientScheme.standard(), broken);
            refused.assertLeavesNoTrace(GradientScheme.sam(0.1), broken);
            refused.assertLeavesNoTrace(GradientScheme.gradientNormPenalty(0.1, 0), broken);
            // So far away that it is the second pass that has no finite loss, or only the mixture that has no finite
            // norm.
            refused.assertLeavesNoTrace(GradientScheme.sam(1e38), images());
            refused.assertLeavesNoTrace(GradientScheme.gradientNormPenalty(0.1, 1e38), images());
        }
    }

    @Test
    void f4APassThatThrowsLeavesRunningStatisticsBitForBit() {
        var refused = new RefusedStep(5);
        var wrong = targets().narrow(1, 0, CLASSES - 1); // found in the loss, when the network has run
        assertThatThrownBy(() -> refused.pass.on(images(), wrong, 1).compute(Pass.REFERENCE));
        refused.assertNoTrace();
    }

    /** A network that has made a good step before. */
    private final class RefusedStep {
        final ResidualNetwork network = residualNetwork();
        final FlatParameters parameters = FlatParameters.of(network.parametersByName());
        final NetworkPass pass;
        final Map<String, Tensor> before = new HashMap<>();

        RefusedStep(int microBatch) {
            var options = new PassOptions(1e-3, false, microBatch, Precision.FLOAT32);
            pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), options, streams);
            GradientScheme.sam(0.1).computeGradient(pass.on(images(), targets(), 0), parameters, 0);
            network.buffersByName().forEach((name, buffer) -> before.put(name, buffer.clone()));
            assertThat(before.get("norm.running_mean").abs().sum().item_double())
                    .isPositive();
        }

        void assertLeavesNoTrace(GradientScheme scheme, Tensor images) {
            try (var scope = Scope.open()) {
                assertThatThrownBy(() -> scheme.computeGradient(pass.on(images, targets(), 1), parameters, 1))
                        .isInstanceOf(NonFiniteStepException.class)
                        .hasMessageContaining("the network is as before the step");
            }
            assertNoTrace();
        }

        void assertNoTrace() {
            network.buffersByName()
                    .forEach((name, buffer) ->
                            assertThat(buffer.equal(before.get(name))).as(name).isTrue());
        }
    }

    @Test
    void alphaOneIsSamBitForBitOnARealNetwork() {
        double r = 0.2;
        var network = residualNetwork();
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
        pass.on(images(), targets(), 0);
        GradientScheme.gradientNormPenalty(r, 1).computeGradient(pass, parameters, 0);
        double[] penalty = parameters.gradient().toArray();

        // SAM by hand, without the scheme.
        pass.compute(Pass.REFERENCE);
        parameters.values().add(r / parameters.gradient().norm(), parameters.gradient());
        pass.compute(Pass.PERTURBED);
        assertThat(parameters.gradient().toArray()).isEqualTo(penalty);
    }

    @Test
    void f10MicroBatchesGiveTheGradientOfTheWholeBatch() {
        var network = perceptron(0).inDoublePrecision();
        var parameters = FlatParameters.of(network.parametersByName());
        Tensor images = images().to(torch.ScalarType.Double);
        Tensor targets = targets().to(torch.ScalarType.Double);
        var scheme = GradientScheme.gradientNormPenalty(0.3, 0.7);
        double[][] gradients = new double[3][];
        int[] sizes = {BATCH, 5, 1};
        double[] losses = new double[3];
        for (int i = 0; i < sizes.length; i++) {
            var options = new PassOptions(1e-3, true, sizes[i], Precision.FLOAT32);
            var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0.1), options, streams);
            losses[i] = scheme.computeGradient(pass.on(images, targets, 0), parameters, 0)
                    .loss();
            gradients[i] = parameters.gradient().toArray();
            assertThat(gradients[i]).containsExactly(gradients[0], within(1e-14));
            assertThat(losses[i]).isCloseTo(losses[0], within(1e-14));
        }
    }

    @Test
    void f10AllMicroBatchesGoThroughBeforeTheOnePerturbation() {
        List<Double> normsSeen = new ArrayList<>();
        List<Pass> passesSeen = new ArrayList<>();
        var inner = perceptron(0);
        FlatParameters[] parameters = new FlatParameters[1];
        var watched = new Network() {
            @Override
            public Tensor forward(Tensor images, Forward forward) {
                passesSeen.add(forward.pass());
                normsSeen.add(parameters[0].values().norm());
                return inner.forward(images, forward);
            }
        };
        parameters[0] = FlatParameters.of(inner.parametersByName());
        var options = new PassOptions(0, false, 5, Precision.FLOAT32);
        var pass = new NetworkPass(watched, parameters[0], new SoftCrossEntropy(0), options, streams);
        GradientScheme.sam(0.3).computeGradient(pass.on(images(), targets(), 0), parameters[0], 0);

        assertThat(passesSeen)
                .containsExactly(
                        Pass.REFERENCE, Pass.REFERENCE, Pass.REFERENCE, Pass.PERTURBED, Pass.PERTURBED, Pass.PERTURBED);
        assertThat(normsSeen.subList(0, 3)).containsOnly(normsSeen.get(0));
        assertThat(normsSeen.subList(3, 6)).containsOnly(normsSeen.get(3));
        assertThat(normsSeen.get(3)).isNotEqualTo(normsSeen.get(0));
    }

    @Test
    void finiteDifferenceConvergesToTheHessianVectorProductAtFirstOrder() {
        var network = perceptron(0).inDoublePrecision();
        var named = network.parametersByName();
        var parameters = FlatParameters.of(named);
        Tensor images = images().to(torch.ScalarType.Double);
        Tensor targets = targets().to(torch.ScalarType.Double);
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams);
        pass.on(images, targets, 0);

        // Exact: differentiate g1·v with v = g1/‖g1‖ held fixed.
        TensorVector weights = new TensorVector(named.values().toArray(Tensor[]::new));
        Tensor loss = new SoftCrossEntropy(0)
                .mean(network.forward(images, Forward.training(Pass.REFERENCE, streams.generator("forward"))), targets);
        TensorVector g1 =
                torch.grad(new TensorVector(loss), weights, new TensorVector(), new BoolOptional(true), true, false);
        pass.compute(Pass.REFERENCE);
        double norm = parameters.gradient().norm();
        Tensor product = torch.zeros(new long[] {}, new TensorOptions(torch.ScalarType.Double));
        for (long i = 0; i < g1.size(); i++) {
            product = product.add(g1.get(i).mul(g1.get(i).detach()).sum().div(new Scalar(norm)));
        }
        parameters.gradient().setZero();
        product.backward();
        FlatVector exact = parameters.gradient().copy();

        // The penalty's finite difference is (g − g1)/(α·r) with g = g1 + α·(g2 − g1).
        pass.compute(Pass.REFERENCE);
        FlatVector first = parameters.gradient().copy();
        double[] radii = {0.1, 0.05, 0.02, 0.01, 0.005};
        double[] logErrors = new double[radii.length];
        for (int i = 0; i < radii.length; i++) {
            GradientScheme.gradientNormPenalty(radii[i], 0.8).computeGradient(pass, parameters, 0);
            FlatVector difference = parameters.gradient().copy().add(-1, first).scale(1 / (0.8 * radii[i]));
            logErrors[i] = Math.log(difference.add(-1, exact).norm());
        }
        double slope =
                (logErrors[0] - logErrors[radii.length - 1]) / (Math.log(radii[0]) - Math.log(radii[radii.length - 1]));
        assertThat(slope).as("order of convergence").isCloseTo(1, within(0.1));
        assertThat(Math.exp(logErrors[radii.length - 1])).isLessThan(0.05 * exact.norm());
    }

    private MultilayerPerceptron perceptron(double dropout) {
        return new MultilayerPerceptron(
                List.of(64, 24, 16, CLASSES), Activation.TANH, new Dropout(dropout), new RandomStreams(1));
    }

    private static ResidualNetwork residualNetwork() {
        return new ResidualNetwork(1, List.of(8, 16, 16), 1, CLASSES, new RandomStreams(1));
    }

    private Tensor images() {
        return torch.empty(BATCH, 1, 8, 8).normal_(0, 1, new GeneratorOptional(streams.generator("images")));
    }

    private static Tensor targets() {
        Tensor targets = torch.zeros(BATCH, CLASSES);
        for (int i = 0; i < BATCH; i++) {
            targets.get(i).get(i % CLASSES).fill_(new Scalar(1.0));
        }
        return targets;
    }
}
