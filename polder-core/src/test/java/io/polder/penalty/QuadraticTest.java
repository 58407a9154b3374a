package io.polder.penalty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.nn.Pass;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scheme on L = ½ θᵀAθ, where everything has a closed form: ∇L = Aθ and the Hessian is A. */
class QuadraticTest {
    private static final double[][] A = {{3, 1, 0}, {1, 2, -0.5}, {0, -0.5, 0.7}};
    private static final double[] START = {0.4, -1.1, 2.0};

    private Scope scope;
    private Tensor theta;
    private FlatParameters parameters;
    private final List<Pass> passes = new ArrayList<>();

    @BeforeEach
    void makeParameters() {
        scope = Scope.open();
        theta = vector(START).set_requires_grad(true);
        parameters = FlatParameters.of(Map.of("theta", theta));
    }

    @AfterEach
    void free() {
        scope.close();
    }

    private double loss(Pass pass) {
        passes.add(pass);
        parameters.gradient().setZero();
        Tensor loss = theta.dot(matrix().mv(theta)).mul(new Scalar(0.5));
        loss.backward();
        return loss.item_double();
    }

    @Test
    void gradientEqualsTheClosedForm() {
        double r = 0.3;
        double alpha = 0.8;
        var step = GradientScheme.gradientNormPenalty(r, alpha).computeGradient(this::loss, parameters, 0);

        double[] g1 = multiply(START);
        double norm = norm(g1);
        double[] hessianTimesG1 = multiply(g1);
        for (int i = 0; i < 3; i++) {
            // (1 − α)·Aθ + α·A(θ + r·Aθ/‖Aθ‖) = Aθ + α·r·A·Aθ/‖Aθ‖
            double expected = g1[i] + alpha * r * hessianTimesG1[i] / norm;
            assertThat(parameters.gradient().toArray()[i]).isCloseTo(expected, within(1e-14));
        }
        assertThat(step.referenceNorm()).isCloseTo(norm, within(1e-14));
        assertThat(step.norm()).isEqualTo(parameters.gradient().norm());
        assertThat(step.loss()).isCloseTo(0.5 * dot(START, g1), within(1e-14));
        assertThat(passes).containsExactly(Pass.REFERENCE, Pass.PERTURBED);
    }

    @Test
    void alphaZeroIsStandardBitForBitAndCostsOnePass() {
        GradientScheme.standard().computeGradient(this::loss, parameters, 0);
        double[] standard = parameters.gradient().toArray();
        passes.clear();
        GradientScheme.gradientNormPenalty(0.3, 0).computeGradient(this::loss, parameters, 0);
        assertThat(parameters.gradient().toArray()).isEqualTo(standard);
        assertThat(passes).containsExactly(Pass.ONLY);
    }

    @Test
    void alphaOneIsSamBitForBit() {
        // SAM written out by hand, in the same precision: the gradient at θ + r·g1/‖g1‖.
        double r = 0.3;
        loss(Pass.REFERENCE);
        parameters.values().add(r / parameters.gradient().norm(), parameters.gradient());
        loss(Pass.PERTURBED);
        double[] sam = parameters.gradient().toArray();
        try (var scope = Scope.withoutGradient()) {
            theta.copy_(vector(START));
        }
        GradientScheme.gradientNormPenalty(r, 1).computeGradient(this::loss, parameters, 0);
        assertThat(parameters.gradient().toArray()).isEqualTo(sam);
        GradientScheme.sam(r).computeGradient(this::loss, parameters, 0);
        assertThat(parameters.gradient().toArray()).isEqualTo(sam);
    }

    @Test
    void f3ThetaIsRestoredBitForBit() {
        var scheme = GradientScheme.gradientNormPenalty(1e3, 0.7);
        for (int step = 0; step < 50; step++) {
            scheme.computeGradient(this::loss, parameters, step);
        }
        assertThat(parameters.values().toArray()).isEqualTo(START);
    }

    @Test
    void f3ThetaIsRestoredWhenTheSecondPassThrows() {
        LossPass fails = pass -> {
            if (pass == Pass.PERTURBED) {
                assertThat(parameters.values().toArray()).isNotEqualTo(START);
                throw new IllegalStateException("out of memory, say");
            }
            return loss(pass);
        };
        var scheme = GradientScheme.sam(0.3);
        assertThatThrownBy(() -> scheme.computeGradient(fails, parameters, 0)).hasMessage("out of memory, say");
        assertThat(parameters.values().toArray()).isEqualTo(START);
    }

    @Test
    void f4ZeroGradientGivesZeroPerturbationAndNoNaN() {
        parameters.values().setZero();
        for (var perturbation : Perturbation.values()) {
            for (Mix mix : Mix.values()) {
                var coefficients = Coefficients.constant(0.3, 0.8);
                var step = new GradientNormPenalty(coefficients, perturbation, mix)
                        .computeGradient(this::loss, parameters, 0);
                assertThat(parameters.gradient().toArray()).containsOnly(0);
                assertThat(step.norm()).isZero();
                assertThat(step.figures().get("r")).isZero();
            }
        }
    }

    @Test
    void f4DenormalGradientGivesNoPerturbation() {
        parameters.values().scale(1e-40);
        var step = GradientScheme.sam(0.3).computeGradient(this::loss, parameters, 0);
        assertThat(step.figures().get("r")).isZero();
        assertThat(parameters.gradient().norm()).isPositive();
        assertThat(passes).containsExactly(Pass.REFERENCE);
    }

    @Test
    void f4NonFiniteLossStopsTheStepNamesItAndLeavesTheta() {
        for (Pass broken : Pass.values()) {
            for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                LossPass pass = p -> p == broken ? value + 0 * loss(p) : loss(p);
                var scheme = GradientScheme.gradientNormPenalty(0.3, broken == Pass.ONLY ? 0 : 0.8);
                assertThatThrownBy(() -> scheme.computeGradient(pass, parameters, 1234))
                        .isInstanceOf(NonFiniteStepException.class)
                        .hasMessageContaining("step 1234")
                        .hasMessageContaining("loss")
                        .hasMessageNotContaining("\n");
                assertThat(parameters.values().toArray()).isEqualTo(START);
            }
        }
    }

    @Test
    void f4NonFiniteGradientStopsTheStepEvenWhereTheLossIsFinite() {
        for (Pass broken : Pass.values()) {
            LossPass pass = p -> {
                double loss = loss(p);
                parameters.gradient().scale(p == broken ? Double.NaN : 1);
                return loss;
            };
            var scheme = GradientScheme.gradientNormPenalty(0.3, broken == Pass.ONLY ? 0 : 0.8);
            assertThatThrownBy(() -> scheme.computeGradient(pass, parameters, 5))
                    .isInstanceOf(NonFiniteStepException.class)
                    .hasMessageContaining("step 5")
                    .hasMessageContaining("gradient norm");
            assertThat(parameters.values().toArray()).isEqualTo(START);
        }
    }

    @Test
    void f6DirectionMixesTheNormalisedFirstGradient() {
        double r = 0.3;
        double alpha = 0.8;
        var coefficients = Coefficients.constant(r, alpha);
        new GradientNormPenalty(coefficients, Perturbation.L2, Mix.DIRECTION)
                .computeGradient(this::loss, parameters, 0);
        double[] g1 = multiply(START);
        double[] hessianTimesG1 = multiply(g1);
        for (int i = 0; i < 3; i++) {
            double g2 = g1[i] + r * hessianTimesG1[i] / norm(g1);
            assertThat(parameters.gradient().toArray()[i])
                    .isCloseTo((1 - alpha) * g1[i] / norm(g1) + alpha * g2, within(1e-14));
        }
    }

    @Test
    void adaptivePerturbationFollowsItsFormula() {
        double r = 0.3;
        double eta = Perturbation.ETA;
        var coefficients = Coefficients.constant(r, 1);
        double[][] seen = new double[1][];
        LossPass pass = p -> {
            seen[0] = parameters.values().toArray();
            return loss(p);
        };
        new GradientNormPenalty(coefficients, Perturbation.ADAPTIVE, Mix.GRADIENT).computeGradient(pass, parameters, 0);
        double[] g1 = multiply(START);
        double[] scaled = new double[3];
        for (int i = 0; i < 3; i++) {
            scaled[i] = (Math.abs(START[i]) + eta) * g1[i];
        }
        for (int i = 0; i < 3; i++) {
            double expected = START[i] + r * (Math.abs(START[i]) + eta) * scaled[i] / norm(scaled);
            assertThat(seen[0][i]).isCloseTo(expected, within(1e-14));
        }
        assertThat(parameters.values().toArray()).isEqualTo(START);
    }

    private static double[] multiply(double[] x) {
        double[] y = new double[3];
        for (int i = 0; i < 3; i++) {
            y[i] = dot(A[i], x);
        }
        return y;
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    private static double norm(double[] x) {
        return Math.sqrt(dot(x, x));
    }

    private static Tensor vector(double... values) {
        return torch.from_blob(
                        new DoublePointer(values),
                        new long[] {values.length},
                        new TensorOptions(torch.ScalarType.Double))
                .clone();
    }

    private static Tensor matrix() {
        return vector(A[0][0], A[0][1], A[0][2], A[1][0], A[1][1], A[1][2], A[2][0], A[2][1], A[2][2])
                .view(3, 3);
    }
}
