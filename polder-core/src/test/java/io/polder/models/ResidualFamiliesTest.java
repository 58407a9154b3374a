package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.IntermittentScheme;
import io.polder.penalty.Turns;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for wide and pyramidal residual networks, shaken or not, at sizes that take no time. */
class ResidualFamiliesTest {
    private static final int BATCH = 8;
    private static final int CLASSES = 4;

    enum Family {
        WIDE(() -> new WideResNet(16, 1, 3, CLASSES, new RandomStreams(1)), false),
        WIDE_SHAKE_SHAKE(() -> new WideResNetShakeShake(8, 3, CLASSES, new RandomStreams(1)), true),
        PYRAMID(() -> PyramidNet.plain(20, 12, 3, CLASSES, new RandomStreams(1)), false),
        PYRAMID_SHAKE_DROP(() -> PyramidNet.withShakeDrop(20, 12, 3, CLASSES, new RandomStreams(1)), true);

        final Supplier<Network> supplier;
        final boolean shaken;

        Family(Supplier<Network> supplier, boolean shaken) {
            this.supplier = supplier;
            this.shaken = shaken;
        }

        Network network() {
            return supplier.get();
        }
    }

    private final RandomStreams streams = new RandomStreams(11);
    private Scope scope;

    @BeforeEach
    void open() {
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    @ParameterizedTest
    @EnumSource
    void stepOfThePenaltyLowersTheLossOnItsBatch(Family family) {
        Network network = family.network();
        try (var parameters = FlatParameters.of(network.parametersByName());
                var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams);
                var optimizer = new Sgd(0, false)) {
            pass.on(images(8, 8), targets(), 0);
            var gradient = GradientScheme.gradientNormPenalty(0.02, 0.5).computeGradient(pass, parameters, 0);
            assertThat(gradient.norm()).isPositive();
            optimizer.step(parameters, 0.01);
            // With the draws of the step, so that it is the same function.
            assertThat(pass.compute(Pass.REFERENCE)).isLessThan(gradient.loss());
            assertThat(parameters.values().norm()).isFinite();
        }
    }

    @ParameterizedTest
    @EnumSource
    void f1BothPassesAreTheSameFunctionAndF8OnlyShakingMakesTheirGradientsDiffer(Family family) {
        Network network = family.network();
        try (var parameters = FlatParameters.of(network.parametersByName());
                var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams)) {
            pass.on(images(8, 8), targets(), 0);
            double reference = pass.compute(Pass.REFERENCE);
            double[] g1 = parameters.gradient().toArray();
            assertThat(pass.compute(Pass.PERTURBED)).isEqualTo(reference);
            double[] g2 = parameters.gradient().toArray();
            if (family.shaken) {
                assertThat(g2).isNotEqualTo(g1);
                assertThat(pass.on(images(8, 8), targets(), 1).compute(Pass.REFERENCE))
                        .as("loss with the draws of another step")
                        .isNotEqualTo(reference);
            } else {
                assertThat(g2).isEqualTo(g1);
            }
        }
    }

    /** Whichever scheme takes it: all of them are standard training then, bit for bit. */
    @ParameterizedTest
    @EnumSource
    void f8AStepOfOnePassShakesForwardAndBackwardApart(Family family) {
        Network network = family.network();
        try (var parameters = FlatParameters.of(network.parametersByName());
                var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams)) {
            pass.on(images(8, 8), targets(), 0);
            pass.compute(Pass.REFERENCE);
            double[] trueGradient = parameters.gradient().toArray();
            pass.compute(Pass.PERTURBED);
            double[] apart = parameters.gradient().toArray();
            assertThat(Arrays.equals(apart, trueGradient)).isEqualTo(!family.shaken);
            for (var scheme : List.of(
                    GradientScheme.standard(),
                    GradientScheme.gradientNormPenalty(0.1, 0),
                    GradientScheme.gradientNormPenalty(0, 0.8),
                    new IntermittentScheme(
                            GradientScheme.sam(0.1), Turns.withProbability(Schedule.constant(0), streams)))) {
                scheme.computeGradient(pass, parameters, 0);
                assertThat(parameters.gradient().toArray()).as("%s", scheme).isEqualTo(apart);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void f8GradientOfTheReferencePassIsThatOfItsLoss(Family family) {
        Network network = family.network().inDoublePrecision();
        try (var parameters = FlatParameters.of(network.parametersByName());
                var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams)) {
            pass.on(images(8, 8).to(torch.ScalarType.Double), targets().to(torch.ScalarType.Double), 0);
            pass.compute(Pass.REFERENCE);
            double h = 1e-8; // so small that no ReLU switches within ±h
            try (FlatVector gradient = parameters.gradient().copy();
                    FlatVector start = parameters.values().copy()) {
                double norm = gradient.norm();
                parameters.values().add(h / norm, gradient);
                double above = pass.compute(Pass.REFERENCE);
                parameters.values().set(start).add(-h / norm, gradient);
                double below = pass.compute(Pass.REFERENCE);
                // Along the gradient the loss grows by its norm; the difference of two losses has some eight digits.
                assertThat((above - below) / (2 * h)).isCloseTo(norm, within(1e-6 * norm));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void imagesOfAnySizeGoThrough(Family family) {
        Network network = family.network();
        for (Forward forward :
                new Forward[] {Forward.INFERENCE, Forward.training(Pass.REFERENCE, streams.generator("forward"))}) {
            Tensor logits = network.forward(images(7, 10), forward);
            assertThat(logits.shape()).containsExactly(BATCH, CLASSES);
            assertThat(logits.sum().item_double()).isFinite();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfLayerStartsByItsRule(Family family) {
        family.network().parametersByName().forEach((name, parameter) -> {
            long[] shape = parameter.shape();
            double deviation = Math.sqrt(parameter.square().mean().item_double()); // from 0, the mean of each rule
            // Five deviations of what a sample of this size has.
            var sampling = within(5 / Math.sqrt(2.0 * parameter.numel()));
            if (shape.length == 4) {
                double rule = Math.sqrt(2.0 / (shape[0] * shape[2] * shape[3]));
                assertThat(deviation / rule).as(name).isCloseTo(1, sampling);
            } else if (shape.length == 2) {
                double bound = 1 / Math.sqrt(CLASSES);
                assertThat(deviation * Math.sqrt(3) / bound).as(name).isCloseTo(1, sampling);
                assertThat(parameter.abs().max().item_double()).as(name).isBetween(0.9 * bound, bound);
            } else {
                Tensor rule = name.endsWith("bias") ? torch.zeros_like(parameter) : torch.ones_like(parameter);
                assertThat(parameter.equal(rule)).as(name).isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void firstWeightsFollowFromTheSeed(Family family) {
        var again = family.network().parametersByName();
        family.network()
                .parametersByName()
                .forEach((name, parameter) ->
                        assertThat(parameter.equal(again.get(name))).as(name).isTrue());
    }

    private Tensor images(int height, int width) {
        return torch.empty(BATCH, 3, height, width).normal_(0, 1, new GeneratorOptional(streams.generator("images")));
    }

    private static Tensor targets() {
        Tensor targets = torch.zeros(BATCH, CLASSES);
        for (int i = 0; i < BATCH; i++) {
            targets.get(i).get(i % CLASSES).fill_(new Scalar(1.0));
        }
        return targets;
    }
}
