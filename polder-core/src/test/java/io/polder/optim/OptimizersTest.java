package io.polder.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.loss.L2InLoss;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.ParameterGroups;
import io.polder.tensor.Scope;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each optimizer against its formula, written out element by element, over random gradients. */
class OptimizersTest {
    private static final int SIZE = 13;
    private static final double RATE = 0.05;

    private final SplittableRandom random = new SplittableRandom(42);
    private Scope scope;
    private FlatParameters parameters;
    private double[] theta;

    @BeforeEach
    void makeParameters() {
        scope = Scope.open();
        Map<String, Tensor> named = new LinkedHashMap<>();
        named.put("matrix", tensor(draw(SIZE - 3)).view(2, 5));
        named.put("bias", tensor(draw(3)));
        parameters = FlatParameters.of(named);
        theta = parameters.values().toArray();
    }

    @AfterEach
    void free() {
        scope.close();
    }

    private interface Reference {
        void step(double[] g, int step);
    }

    private void agreesWith(Optimizer optimizer, Reference reference) {
        try (optimizer) {
            for (int step = 1; step <= 6; step++) {
                double[] g = draw(SIZE);
                setGradient(g);
                optimizer.step(parameters, RATE);
                reference.step(g, step);
                assertThat(parameters.values().toArray()).containsExactly(theta, within(1e-14));
            }
        }
    }

    private static ParameterGroups biases(Double learningRateFactor, Double decayFactor) {
        return new ParameterGroups(List.of(new ParameterGroups.Group("b*", learningRateFactor, decayFactor, null)));
    }

    @Test
    void aLearningRateFactorIsThatOfItsParameters() {
        double[] velocity = new double[SIZE];
        agreesWith(new GroupedOptimizer(new Sgd(0.9, false), 0, biases(0.1, null)), (g, step) -> {
            for (int i = 0; i < SIZE; i++) {
                velocity[i] = g[i] + 0.9 * velocity[i];
                theta[i] -= (i < SIZE - 3 ? RATE : 0.1 * RATE) * velocity[i];
            }
        });
    }

    /** As PyTorch's groups have it: the decay of a group is multiplied by the group's learning rate. */
    @Test
    void aDecayFactorIsThatOfItsParameters() {
        var adam = new AdamW(new AdamW.Settings(0, 0, 1e-8, 0)); // which steps by the sign
        agreesWith(new GroupedOptimizer(adam, 0.2, biases(0.1, 0.5)), (g, step) -> {
            for (int i = 0; i < SIZE; i++) {
                boolean isMatrix = i < SIZE - 3;
                double rate = isMatrix ? RATE : 0.1 * RATE;
                theta[i] -= rate * (g[i] / (Math.abs(g[i]) + 1e-8) + (isMatrix ? 0.2 : 0.1) * theta[i]);
            }
        });
    }

    @Test
    void factorsOfOneAreTheSameStepBitForBit() {
        var settings = new AdamW.Settings(0.9, 0.999, 1e-8, 0.1);
        double[] g = draw(SIZE);
        try (var plain = new AdamW(settings)) {
            setGradient(g);
            plain.step(parameters, RATE);
        }
        double[] expected = parameters.values().toArray();
        for (var groups : List.of(biases(1.0, 1.0), biases(0.5, null))) {
            try (var start = FlatParameters.of(Map.of("start", tensor(theta)));
                    var grouped =
                            new GroupedOptimizer(new AdamW(new AdamW.Settings(0.9, 0.999, 1e-8, 0)), 0.1, groups)) {
                parameters.values().set(start.values());
                setGradient(g);
                grouped.step(parameters, RATE);
                assertThat(Arrays.copyOf(parameters.values().toArray(), SIZE - 3))
                        .as("of those that are not matched, too")
                        .isEqualTo(Arrays.copyOf(expected, SIZE - 3));
            }
        }
    }

    @Test
    void decayInTheLossHasTheFactorsToo() {
        try (var plain = new L2InLoss(0.5, false, parameters);
                var none = new L2InLoss(0.5, false, biases(null, 0.0), parameters)) {
            plain.startGradient(parameters);
            double[] all = parameters.gradient().toArray();
            none.startGradient(parameters);
            double[] some = parameters.gradient().toArray();
            for (int i = 0; i < SIZE; i++) {
                assertThat(some[i]).isEqualTo(i < SIZE - 3 ? all[i] : 0);
            }
        }
    }

    @Test
    void plainSgd() {
        agreesWith(new Sgd(0, false), (g, step) -> {
            for (int i = 0; i < SIZE; i++) {
                theta[i] -= RATE * g[i];
            }
        });
    }

    @Test
    void sgdWithMomentum() {
        double[] m = new double[SIZE];
        agreesWith(new Sgd(0.9, false), (g, step) -> {
            for (int i = 0; i < SIZE; i++) {
                m[i] = g[i] + 0.9 * m[i];
                theta[i] -= RATE * m[i];
            }
        });
    }

    @Test
    void sgdWithNesterovMomentum() {
        double[] m = new double[SIZE];
        agreesWith(new Sgd(0.9, true), (g, step) -> {
            for (int i = 0; i < SIZE; i++) {
                m[i] = g[i] + 0.9 * m[i];
                theta[i] -= RATE * (g[i] + 0.9 * m[i]);
            }
        });
    }

    @Test
    void adamWithDecoupledDecay() {
        double[] m = new double[SIZE];
        double[] v = new double[SIZE];
        agreesWith(new AdamW(new AdamW.Settings(0.9, 0.999, 1e-8, 0.3)), (g, step) -> {
            for (int i = 0; i < SIZE; i++) {
                m[i] = 0.9 * m[i] + 0.1 * g[i];
                v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
                double mHat = m[i] / (1 - Math.pow(0.9, step));
                double vHat = v[i] / (1 - Math.pow(0.999, step));
                theta[i] -= RATE * (mHat / (Math.sqrt(vHat) + 1e-8) + 0.3 * theta[i]);
            }
        });
    }

    @Test
    void rmsPropWithMomentum() {
        double[] m = new double[SIZE];
        double[] v = new double[SIZE];
        agreesWith(new RmsProp(0.9, 1e-3, 0.8), (g, step) -> {
            for (int i = 0; i < SIZE; i++) {
                v[i] = 0.9 * v[i] + 0.1 * g[i] * g[i];
                m[i] = 0.8 * m[i] + g[i] / (Math.sqrt(v[i]) + 1e-3);
                theta[i] -= RATE * m[i];
            }
        });
    }

    @Test
    void f7ClippingScalesToTheMaximumOnlyFromThereOn() {
        double[] g = draw(SIZE);
        setGradient(g);
        double norm = parameters.gradient().norm();
        new ClipByGlobalNorm(norm * 1.01).apply(parameters, norm);
        assertThat(parameters.gradient().toArray()).isEqualTo(g);
        ClipByGlobalNorm.NEVER.apply(parameters, norm);
        assertThat(parameters.gradient().toArray()).isEqualTo(g);
        new ClipByGlobalNorm(0.25).apply(parameters, norm);
        assertThat(parameters.gradient().norm()).isCloseTo(0.25, within(1e-15));
    }

    @Test
    void f5L2StartsTheGradientWithItsOwnAndCanLeaveVectorsOut() {
        double[] g = draw(SIZE);
        for (boolean skipVectors : new boolean[] {false, true}) {
            setGradient(g); // of the step before: forgotten
            try (var l2 = new L2InLoss(0.5, skipVectors, parameters)) {
                l2.startGradient(parameters);
            }
            for (int i = 0; i < SIZE; i++) {
                boolean isBias = i >= SIZE - 3;
                double expected = skipVectors && isBias ? 0 : 0.5 * theta[i];
                assertThat(parameters.gradient().toArray()[i]).isCloseTo(expected, within(1e-15));
            }
        }
    }

    @Test
    void badSettingsAreRefusedInOneSentence() {
        assertThatThrownBy(() -> new Sgd(1, false)).hasMessage("momentum is 1.0: it must be at least 0 and below 1");
        assertThatThrownBy(() -> new Sgd(0, true)).hasMessage("nesterov needs a momentum above 0");
        assertThatThrownBy(() -> new AdamW.Settings(0.9, 0.999, 1e-8, -1)).hasMessageContaining("weightDecay is -1.0");
        assertThatThrownBy(() -> new RmsProp(0.9, 0, 0)).hasMessageContaining("epsilon is 0.0");
        assertThatThrownBy(() -> new ClipByGlobalNorm(Double.NaN)).hasMessage("clip is NaN: it must be above 0");
        assertThatThrownBy(() -> new L2InLoss(Double.NaN, false, parameters)).hasMessageContaining("l2 is NaN");
    }

    private void setGradient(double[] g) {
        try (var values = FlatParameters.of(Map.of("g", tensor(g)))) {
            parameters.gradient().set(values.values());
        }
    }

    private double[] draw(int size) {
        return random.doubles(size, -1, 1).toArray();
    }

    private static Tensor tensor(double[] values) {
        return torch.from_blob(
                        new DoublePointer(values),
                        new long[] {values.length},
                        new TensorOptions(torch.ScalarType.Double))
                .clone();
    }
}
