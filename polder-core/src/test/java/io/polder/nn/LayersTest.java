package io.polder.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.loss.SoftCrossEntropy;
import io.polder.tensor.OpenScope;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenScope.class)
class LayersTest {
    private final RandomStreams streams = new RandomStreams(5);

    @Test
    void f2RunningStatisticsAreUpdatedByTheReferencePassOnly() {
        var norm = new BatchNorm2d(3);
        Tensor x = torch.empty(8, 3, 4, 4).normal_(2, 3, new GeneratorOptional(streams.generator("x")));
        var buffers = norm.named_buffers();

        Tensor reference = norm.forward(x, Forward.training(Pass.REFERENCE, null));
        Tensor mean = buffers.get("running_mean").clone();
        Tensor variance = buffers.get("running_var").clone();
        assertThat(mean.get(0).item_double())
                .isCloseTo(0.1 * x.select(1, 0).mean().item_double(), within(1e-6));
        assertThat(buffers.get("num_batches_tracked").item_long()).isEqualTo(1);

        Tensor perturbed = norm.forward(x, Forward.training(Pass.PERTURBED, null));
        assertThat(buffers.get("running_mean").equal(mean)).isTrue();
        assertThat(buffers.get("running_var").equal(variance)).isTrue();
        assertThat(buffers.get("num_batches_tracked").item_long()).isEqualTo(1);
        assertThat(perturbed.equal(reference)).isTrue();
    }

    /** In 16 bits the numbers lie so far from 0 that a mean in 16 bits would be seen: its spacing there is a sixth of their deviation. */
    @Test
    void aBatchSharedWithNobodyIsNormalisedAsAnyOther() {
        for (var type : List.of(torch.ScalarType.Float, torch.ScalarType.BFloat16)) {
            Tensor x = torch.empty(8, 3, 4, 4)
                    .normal_(100, 3, new GeneratorOptional(streams.generator("x")))
                    .to(type);
            Tensor weights = torch.empty(8, 3, 4, 4).normal_(0, 1, new GeneratorOptional(streams.generator("weights")));
            List<Tensor> outputs = new ArrayList<>();
            List<Tensor> gradients = new ArrayList<>();
            List<Tensor> variances = new ArrayList<>();
            SharedBatch withNobody = sums -> {};
            for (SharedBatch shared : Arrays.asList(null, withNobody)) {
                var norm = new BatchNorm2d(3);
                Tensor input = x.clone().detach().set_requires_grad(true);
                Tensor output = norm.forward(
                        input, Forward.training(Pass.REFERENCE, null).sharing(shared));
                output.mul(weights).sum().backward();
                outputs.add(output);
                gradients.add(input.grad());
                variances.add(norm.named_buffers().get("running_var").clone());
            }
            double rounding = type == torch.ScalarType.Float ? 1e-4 : 0.03;
            for (var pair : List.of(outputs, gradients, variances)) {
                assertThat(pair.get(0).scalar_type().intern())
                        .isEqualTo(pair.get(1).scalar_type().intern());
                assertThat(pair.get(0).sub(pair.get(1)).abs().max().item_double())
                        .isLessThan(rounding);
            }
        }
    }

    @Test
    void inferenceNormalisesWithRunningStatistics() {
        var norm = new BatchNorm2d(3);
        Tensor x = torch.empty(8, 3, 4, 4).normal_(2, 3, new GeneratorOptional(streams.generator("x")));
        // Running mean 0 and variance 1, as at the start: the input itself, but for ε.
        Tensor y = norm.forward(x, Forward.INFERENCE);
        assertThat(y.sub(x).abs().max().item_double()).isLessThan(1e-3);
    }

    @Test
    void dropoutKeepsTheMeanRepeatsItsDrawsAndIsOffAtInference() {
        var dropout = new Dropout(0.25);
        Tensor ones = torch.ones(100, 100);
        Tensor once = dropout.forward(ones, Forward.training(Pass.REFERENCE, streams.generator("forward", 1)));
        Tensor again = dropout.forward(ones, Forward.training(Pass.PERTURBED, streams.generator("forward", 1)));
        Tensor other = dropout.forward(ones, Forward.training(Pass.REFERENCE, streams.generator("forward", 2)));
        assertThat(once.equal(again)).isTrue();
        assertThat(once.equal(other)).isFalse();
        assertThat(once.mean().item_double()).isCloseTo(1, within(0.03));
        assertThat(once.max().item_double()).isCloseTo(4 / 3.0, within(1e-6));
        assertThat(dropout.forward(ones, Forward.INFERENCE).equal(ones)).isTrue();
        assertThatThrownBy(() -> new Dropout(1)).hasMessage("dropout is 1.0: it must be at least 0 and below 1");
    }

    /** Through the engine's own strided kernel this aborts the process, some way down the four hundred steps. */
    @Test
    void stridedPointwiseConvolutionOfFewChannelsIsSafeAndRight() {
        var convolution = new SameConv2d(4, 8, 1, 2);
        var generator = new GeneratorOptional(streams.generator("few channels"));
        Tensor weight = convolution.named_parameters().get("weight");
        try (var inner = Scope.withoutGradient()) {
            weight.normal_(0, 1, generator);
        }
        Tensor x = torch.empty(16, 4, 9, 9).normal_(0, 1, generator);
        Tensor everySecond = x.index_select(2, even(9)).index_select(3, even(9));
        Tensor expected = torch.conv2d(everySecond, weight);
        Tensor channelsLast = x.contiguous(torch.MemoryFormat.ChannelsLast);
        for (int step = 0; step < 400; step++) {
            try (var inner = Scope.open()) {
                Tensor y = convolution.forward(channelsLast);
                y.mul(y).sum().backward();
                torch.empty(37 + step % 50).zero_();
            }
        }
        assertThat(convolution.forward(channelsLast).sub(expected).abs().max().item_double())
                .isLessThan(1e-5);
        assertThatThrownBy(() -> Convolution.same(4, 8, 1, 2)).hasMessageContaining("use SameConv2d");
    }

    private static Tensor even(int size) {
        return torch.arange(new Scalar(0L), new Scalar((long) size), new Scalar(2L))
                .to(torch.ScalarType.Long);
    }

    @Test
    void f11CrossEntropyTakesProbabilities() {
        // Logits log 1, log 2, log 5: probabilities 1/8, 2/8, 5/8.
        Tensor logits = row(0, (float) Math.log(2), (float) Math.log(5));
        double[] log = {Math.log(1 / 8.0), Math.log(2 / 8.0), Math.log(5 / 8.0)};
        var plain = new SoftCrossEntropy(0);
        assertThat(plain.mean(logits, row(0, 1, 0)).item_double()).isCloseTo(-log[1], within(1e-6));
        assertThat(plain.mean(logits, row(0.3f, 0, 0.7f)).item_double())
                .isCloseTo(-0.3 * log[0] - 0.7 * log[2], within(1e-6));
        double spread = -(log[0] + log[1] + log[2]) / 3;
        assertThat(new SoftCrossEntropy(0.1).mean(logits, row(0, 1, 0)).item_double())
                .isCloseTo(0.9 * -log[1] + 0.1 * spread, within(1e-6));
        assertThat(SoftCrossEntropy.errors(logits, row(0, 1, 0))).isEqualTo(1);
        assertThat(SoftCrossEntropy.errors(logits, row(0.3f, 0, 0.7f))).isZero();
        assertThatThrownBy(() -> new SoftCrossEntropy(1)).hasMessageContaining("labelSmoothing is 1.0");
    }

    private static Tensor row(float... values) {
        return torch.from_blob(
                        new FloatPointer(values),
                        new long[] {1, values.length},
                        new TensorOptions(torch.ScalarType.Float))
                .clone();
    }
}
