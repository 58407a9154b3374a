package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenScope.class)
class FlatParametersTest {

    @Test
    void parametersKeepTheirValuesAndBecomeViews() {
        var named = named();
        Tensor convolution = named.get("conv.weight");
        Tensor before = convolution.detach().clone();
        var flat = FlatParameters.of(named);

        assertThat(convolution.equal(before)).isTrue();
        assertThat(flat.size()).isEqualTo(4 * 3 * 3 * 3 + 4);
        flat.values().setZero();
        assertThat(convolution.abs().sum().item_double()).isZero();
    }

    @Test
    void convolutionWeightsLieChannelsLast() {
        var named = named();
        FlatParameters.of(named);
        assertThat(named.get("conv.weight").is_contiguous(torch.MemoryFormat.ChannelsLast))
                .isTrue();
    }

    @Test
    void backwardAddsToTheFlatGradient() {
        var named = named();
        var flat = FlatParameters.of(named);
        for (int pass = 1; pass <= 2; pass++) {
            Tensor loss =
                    named.get("conv.weight").sum().add(named.get("conv.bias").sum());
            loss.backward();
            assertThat(flat.gradient().toArray()).containsOnly(pass);
        }
        flat.gradient().setZero();
        assertThat(named.get("conv.bias").grad().sum().item_double()).isZero();
    }

    @Test
    void onAnExcursionTheNetworkUsesOtherParametersAndThetaIsNotTouched() {
        var named = named();
        Tensor bias = named.get("conv.bias");
        var flat = FlatParameters.of(named);
        double[] theta = flat.values().toArray();
        bias.sum().backward();
        double[] gradient = flat.gradient().toArray();
        try (var there = flat.excursion()) {
            there.values().setZero().add(7);
            there.gradient().setZero();
            assertThat(bias.sum().item_double()).isEqualTo(4 * 7);
            bias.sum().backward();
            bias.sum().backward();
            assertThat(there.gradient().toArray()[111]).isEqualTo(2);
            assertThat(flat.gradient()).isSameAs(there.gradient());
            assertThat(named.get("conv.weight").is_contiguous(torch.MemoryFormat.ChannelsLast))
                    .isTrue();
            assertThatThrownBy(flat::excursion).hasMessageContaining("close that excursion first");
        }
        assertThat(flat.values().toArray()).isEqualTo(theta);
        assertThat(flat.gradient().toArray()).isEqualTo(gradient);
        bias.sum().backward();
        assertThat(flat.gradient().toArray()[111]).isEqualTo(2);
        flat.close();
    }

    @Test
    void sumsAndMixesAreThoseOfTheirFormulas() {
        try (var flat = FlatParameters.of(named());
                var a = flat.values().copy();
                var b = flat.values().zerosLike().add(2)) {
            double[] before = a.toArray();
            double first = before[0];
            assertThat(b.copy().setSum(a, 3, b).toArray()[0]).isEqualTo((float) (first + 6));
            assertThat(b.copy().setScaled(-0.5, a).toArray()[0]).isEqualTo((float) (-0.5 * first));
            assertThat(a.copy().mix(1, b).toArray()[0]).isEqualTo(2);
            assertThat(a.copy().mix(0.25, b).toArray()[0]).isCloseTo(0.75 * first + 0.5, within(1e-6));
            assertThat(a.setSum(b, 0.5, a).toArray()[0]).isEqualTo((float) (2 + 0.5 * first));
        }
    }

    @Test
    void slicesSayWhatLiesWhere() {
        var flat = FlatParameters.of(named());
        assertThat(flat.slices())
                .containsExactly(
                        new FlatParameters.Slice("conv.weight", List.of(4L, 3L, 3L, 3L), 0, 108),
                        new FlatParameters.Slice("conv.bias", List.of(4L), 108, 4));
        double[] mask = flat.mask(FlatParameters.Slice::isVector).toArray();
        assertThat(mask[107]).isZero();
        assertThat(mask[108]).isOne();
        assertThat(mask[111]).isOne();
    }

    @Test
    void aVectorIsFiniteIfItsElementsAreWhateverItsNorm() {
        try (var vector = FlatParameters.of(Map.of("large", torch.ones(3))).values()) {
            assertThat(vector.scale(1e30).norm()).isInfinite();
            assertThat(vector.isFinite()).isTrue();
            vector.fill(1, 1, Double.NaN);
            assertThat(vector.isFinite()).isFalse();
        }
    }

    @Test
    void nothingToTrainAndMixedPrecisionAreRefused() {
        assertThatThrownBy(() -> FlatParameters.of(Map.of())).hasMessageContaining("no trainable parameters");
        Map<String, Tensor> mixed = new LinkedHashMap<>();
        mixed.put("a", torch.zeros(2));
        mixed.put("b", torch.zeros(new long[] {2}, new TensorOptions(torch.ScalarType.Double)));
        assertThatThrownBy(() -> FlatParameters.of(mixed)).hasMessageContaining("parameter b is Double");
    }

    @Test
    void normIsExactOnLongVectorsAndTheSameWithAnyNumberOfThreads() {
        for (int size : new int[] {1, 4095, 4096, 4097, 20_000_003}) {
            Tensor tensor = torch.empty(size)
                    .normal_(0, 1e-3, new GeneratorOptional(new RandomStreams(size).generator("values")));
            double reference =
                    torch.linalg_vector_norm(tensor.to(torch.ScalarType.Double)).item_double();
            var flat = FlatParameters.of(Map.of("x", tensor));
            int threads = Engine.threads();
            double norm = flat.values().norm();
            try {
                Engine.setThreads(threads + 2);
                assertThat(flat.values().norm()).isEqualTo(norm);
            } finally {
                Engine.setThreads(threads);
            }
            // Rows of 4096 are summed in single precision.
            assertThat(norm).isCloseTo(reference, within(1e-6 * reference));
        }
    }

    @Test
    void normIsNotFiniteWhereAnElementIsNot() {
        for (int position : new int[] {0, 4096, 9999}) {
            Tensor tensor = torch.zeros(10_000);
            var flat = FlatParameters.of(Map.of("x", tensor));
            flat.values().fill(position, 1, Double.NaN);
            assertThat(flat.values().norm()).isNaN();
            flat.values().fill(position, 1, Double.NEGATIVE_INFINITY);
            assertThat(flat.values().norm()).isInfinite();
        }
    }

    private static Map<String, Tensor> named() {
        var generator = new GeneratorOptional(new RandomStreams(1).generator("test"));
        Map<String, Tensor> named = new LinkedHashMap<>();
        named.put(
                "conv.weight", torch.empty(4, 3, 3, 3).normal_(0, 1, generator).set_requires_grad(true));
        named.put("conv.bias", torch.empty(4).normal_(0, 1, generator).set_requires_grad(true));
        return named;
    }
}
