package io.polder.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.tensor.OpenScope;
import io.polder.tensor.RandomStreams;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shake-Shake and ShakeDrop: what they compute, and F8, what their gradient is in either pass. */
@ExtendWith(OpenScope.class)
class ShakeTest {
    private final RandomStreams streams = new RandomStreams(21);

    @Test
    void f8ValueAndGradientAreScaledAlikeInTheFirstPassOfTwoAndApartInTheOthers() {
        var coefficients = new ImageCoefficients(images(0.25, -1, 1), images(0.5, 0.75, 1));
        Tensor x = images(2, -3, 0.5).set_requires_grad(true);
        Tensor reference = coefficients.scale(x, Pass.REFERENCE);
        Tensor weights = images(1, 2, 3);
        assertThat(values(reference)).containsExactly(0.5, 3, 0.5);
        assertThat(gradientOfSum(reference.mul(weights), x)).containsExactly(0.25, -2, 3);
        for (Pass pass : new Pass[] {Pass.PERTURBED, Pass.ONLY}) {
            Tensor apart = coefficients.scale(x, pass);
            assertThat(values(apart)).containsExactly(0.5, 3, 0.5);
            assertThat(gradientOfSum(apart.mul(weights), x)).containsExactly(0.5, 1.5, 3);
        }
    }

    @Test
    void shakeShakeMixesByTheFirstDrawsAndHasTheGradientOfTheSecondButInTheFirstPassOfTwo() {
        Tensor a = images(3, 3, 3, 3).set_requires_grad(true);
        Tensor b = images(-1, -1, -1, -1).set_requires_grad(true);
        Generator twin = streams.generator("forward");
        double[] u = values(torch.rand(new long[] {4}, new GeneratorOptional(twin)));
        double[] v = values(torch.rand(new long[] {4}, new GeneratorOptional(twin)));

        for (Pass pass : Pass.values()) {
            Tensor mixed = ShakeShake.mix(a, b, training(pass));
            double[] expected = pass == Pass.REFERENCE ? u : v;
            for (int i = 0; i < 4; i++) {
                // 3u − (1 − u)
                assertThat(values(mixed)[i]).isCloseTo(4 * u[i] - 1, within(1e-15));
                assertThat(gradientOfSum(mixed, a)[i]).isCloseTo(expected[i], within(1e-15));
                assertThat(gradientOfSum(mixed, b)[i]).isCloseTo(1 - expected[i], within(1e-15));
            }
        }
        assertThat(ShakeShake.mix(a, b, Forward.INFERENCE).equal(images(1, 1, 1, 1)))
                .isTrue();
    }

    @Test
    void shakeDropKeepsABranchOrScalesItAndItsGradient() {
        int n = 4000;
        double keep = 0.7;
        var shakeDrop = new ShakeDrop(keep);
        Tensor x = torch.ones(n, 1, 1, 1).to(torch.ScalarType.Double).set_requires_grad(true);
        double[] value = values(shakeDrop.forward(x, training(Pass.REFERENCE)));
        double[] reference = gradientOfSum(shakeDrop.forward(x, training(Pass.REFERENCE)), x);
        double[] perturbed = gradientOfSum(shakeDrop.forward(x, training(Pass.PERTURBED)), x);

        assertThat(reference).isEqualTo(value);
        double sum = 0;
        double sumOfGradients = 0;
        int kept = 0;
        for (int i = 0; i < n; i++) {
            sum += value[i];
            sumOfGradients += perturbed[i];
            if (value[i] == 1) {
                kept++;
                assertThat(perturbed[i]).isEqualTo(1);
            } else {
                assertThat(value[i]).isBetween(-1.0, 1.0);
                assertThat(perturbed[i]).isBetween(0.0, 1.0).isNotEqualTo(value[i]);
            }
        }
        // Five deviations of each mean: √(0.7·0.3/n), and at most √(½/n).
        assertThat(kept / (double) n).isCloseTo(keep, within(0.036));
        assertThat(sum / n).isCloseTo(keep, within(0.056));
        assertThat(sumOfGradients / n).isCloseTo(keep + 0.5 * (1 - keep), within(0.056));
    }

    @Test
    void shakeDropIsItsExpectationAtInference() {
        assertThat(values(new ShakeDrop(0.75).forward(images(2, -4), Forward.INFERENCE)))
                .containsExactly(1.5, -3);
    }

    @Test
    void shakeDropThatKeepsEverythingIsNotThere() {
        Tensor x = images(2, -3, 0.1).set_requires_grad(true);
        for (Pass pass : Pass.values()) {
            Tensor y = new ShakeDrop(1).forward(x, training(pass));
            assertThat(y.equal(x)).isTrue();
            assertThat(gradientOfSum(y, x)).containsExactly(1, 1, 1);
        }
    }

    @Test
    void lessIsKeptTheDeeperTheBlockIs() {
        assertThat(ShakeDrop.ofBlock(1, 4)).isEqualTo(new ShakeDrop(0.875));
        assertThat(ShakeDrop.ofBlock(4, 4)).isEqualTo(new ShakeDrop(0.5));
        assertThatThrownBy(() -> new ShakeDrop(1.5)).hasMessage("keep is 1.5: it must be between 0 and 1");
    }

    enum Layer {
        SHAKE_SHAKE((x, forward) -> ShakeShake.mix(x, x.sin(), forward)),
        SHAKE_DROP((x, forward) -> new ShakeDrop(0.3).forward(x, forward));

        final BiFunction<Tensor, Forward, Tensor> function;

        Layer(BiFunction<Tensor, Forward, Tensor> function) {
            this.function = function;
        }

        Tensor forward(Tensor x, Forward forward) {
            return function.apply(x, forward);
        }
    }

    @ParameterizedTest
    @EnumSource
    void f8GradientOfTheReferencePassIsThatOfItsValue(Layer layer) {
        Tensor x = noise(4, 2, 3, 2).set_requires_grad(true);
        double[] gradient = gradientOfSum(squares(layer, x, Pass.REFERENCE), x);
        double h = 1e-5;
        for (int i = 0; i < gradient.length; i++) {
            double[] step = new double[gradient.length];
            step[i] = h;
            Tensor e = images(step).view(x.shape());
            double above = squares(layer, x.add(e), Pass.REFERENCE).sum().item_double();
            double below = squares(layer, x.sub(e), Pass.REFERENCE).sum().item_double();
            // The difference is off by h² and by rounding over h.
            assertThat(gradient[i]).isCloseTo((above - below) / (2 * h), within(1e-8));
        }
        // And the perturbed pass has another, which is that of a step of one pass.
        double[] perturbed = gradientOfSum(squares(layer, x, Pass.PERTURBED), x);
        assertThat(perturbed).isNotEqualTo(gradient);
        assertThat(gradientOfSum(squares(layer, x, Pass.ONLY), x)).isEqualTo(perturbed);
    }

    private Tensor squares(Layer layer, Tensor x, Pass pass) {
        return layer.forward(x, training(pass)).square();
    }

    @ParameterizedTest
    @EnumSource
    void f1BothPassesHaveTheSameValuesAndLeaveTheSameDrawsToTheNextLayer(Layer layer) {
        Tensor x = noise(6, 3, 4, 4).to(torch.ScalarType.Float);
        Generator first = streams.generator("forward");
        Generator second = streams.generator("forward");
        Tensor reference = layer.forward(x, Forward.training(Pass.REFERENCE, first));
        Tensor perturbed = layer.forward(x, Forward.training(Pass.PERTURBED, second));
        assertThat(perturbed.equal(reference)).isTrue();
        assertThat(torch.rand(new long[] {5}, new GeneratorOptional(first))
                        .equal(torch.rand(new long[] {5}, new GeneratorOptional(second))))
                .isTrue();
        assertThat(layer.forward(x, Forward.training(Pass.REFERENCE, streams.generator("forward", 1)))
                        .equal(reference))
                .isFalse();
    }

    @Test
    void thereIsOneDrawForEachImage() {
        Tensor ones = torch.ones(5, 3, 4, 4);
        for (Tensor y : new Tensor[] {
            ShakeShake.mix(ones, torch.zeros_like(ones), training(Pass.REFERENCE)),
            new ShakeDrop(0).forward(ones, training(Pass.REFERENCE))
        }) {
            Tensor one = y.narrow(1, 0, 1).narrow(2, 0, 1).narrow(3, 0, 1);
            assertThat(y.equal(one.expand_as(y))).isTrue();
            assertThat(Arrays.stream(values(one)).distinct()).hasSize(5);
        }
    }

    @Test
    void zeroPaddedShortcutAveragesSquaresAndAppendsZeroChannels() {
        // 0 1 2
        // 3 4 5
        // 6 7 8, where the squares at the border have two pixels, or one.
        Tensor x = images(0, 1, 2, 3, 4, 5, 6, 7, 8).view(1, 1, 3, 3);
        Tensor y = new ZeroPaddedShortcut(3, 2).forward(x);
        assertThat(y.shape()).containsExactly(1, 3, 2, 2);
        assertThat(values(y)).containsExactly(2, 3.5, 6.5, 8, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(new ZeroPaddedShortcut(1, 1).forward(x)).isSameAs(x);
    }

    private Forward training(Pass pass) {
        return Forward.training(pass, streams.generator("forward"));
    }

    private Tensor noise(long... shape) {
        return torch.empty(shape)
                .normal_(0, 1, new GeneratorOptional(streams.generator("x")))
                .to(torch.ScalarType.Double);
    }

    /** One image of one pixel for each value, in double precision. */
    private static Tensor images(double... values) {
        return torch.from_blob(
                        new DoublePointer(values),
                        new long[] {values.length, 1, 1, 1},
                        new TensorOptions(torch.ScalarType.Double))
                .clone();
    }

    private static double[] gradientOfSum(Tensor y, Tensor x) {
        var retainGraph = new BoolOptional(true);
        TensorVector gradients = torch.grad(
                new TensorVector(y.sum()), new TensorVector(x), new TensorVector(), retainGraph, false, false);
        return values(gradients.get(0));
    }

    private static double[] values(Tensor tensor) {
        Tensor flat = tensor.detach().to(torch.ScalarType.Double).contiguous();
        double[] values = new double[(int) flat.numel()];
        flat.data_ptr_double().get(values);
        return values;
    }
}
