package io.polder.sharpness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.polder.sharpness.Spectrum.Eigenpair;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.OpenScope;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of QΛQᵀ, with Λ chosen and Q a random rotation, everything is known. */
@ExtendWith(OpenScope.class)
class SpectrumTest {
    private static final int N = 60;
    private static final RandomStreams STREAMS = new RandomStreams(3);

    private final Tensor theta = torch.zeros(new long[] {N}, new TensorOptions(torch.ScalarType.Double));
    private final FlatVector like = FlatParameters.of(Map.of("theta", theta)).values();

    /** A few large, a bulk near zero, one negative: as Hessians of networks are. */
    private static double[] eigenvalues() {
        double[] values = IntStream.range(0, N).mapToDouble(i -> 0.01 * i / N).toArray();
        values[0] = 12;
        values[1] = 7;
        values[2] = 3;
        values[3] = -1.5;
        return values;
    }

    private SymmetricOperator withSpectrum(double[] eigenvalues) {
        var generator = new GeneratorOptional(STREAMS.generator("rotation"));
        Tensor random = torch.randn(new long[] {N, N}, generator, new TensorOptions(torch.ScalarType.Double));
        Tensor rotation = torch.linalg_qr(random).get0();
        Tensor matrix = rotation.mul(Tensor.create(eigenvalues)).mm(rotation.t());
        return (vector, to) -> {
            try (var scope = Scope.withoutGradient()) {
                Measured.view(to).copy_(matrix.mv(Measured.view(vector)));
            }
        };
    }

    @Test
    void theLargestEigenvaluesAreThoseThatWereChosen() {
        var operator = withSpectrum(eigenvalues());
        var spectrum = Spectrum.of(operator, like, new Spectrum.Wanted(3, 1e-10, N), STREAMS);
        assertThat(spectrum.largest())
                .extracting(Eigenpair::value)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : Double.compare(a, b))
                .containsExactly(12.0, 7.0, 3.0);
        assertThat(spectrum.lowest().value()).isCloseTo(-1.5, within(1e-9));
        assertThat(spectrum.products()).isLessThan(N / 2);
    }

    @Test
    void aResidualIsWhatItSaysAndTheEigenvalueIsNoFartherAway() {
        var operator = withSpectrum(eigenvalues());
        var spectrum = Spectrum.of(operator, like, new Spectrum.Wanted(3, 0.05, N), STREAMS);
        FlatVector product = like.zerosLike();
        for (Eigenpair pair : spectrum.largest()) {
            operator.apply(pair.vector(), product);
            double residual = product.add(-pair.value(), pair.vector()).norm();
            assertThat(pair.residual()).isCloseTo(residual, within(1e-9));
            double nearest = DoubleStream.of(eigenvalues())
                    .map(each -> Math.abs(each - pair.value()))
                    .min()
                    .orElseThrow();
            assertThat(nearest).isLessThanOrEqualTo(residual + 1e-9);
        }
    }

    @Test
    void powerIterationFindsTheSame() {
        var operator = withSpectrum(eigenvalues());
        var found = Spectrum.byPowerIteration(operator, like, new Spectrum.Wanted(1, 1e-9, 1000), STREAMS);
        var lanczos = Spectrum.of(operator, like, new Spectrum.Wanted(1, 1e-9, N), STREAMS);
        assertThat(found.value()).isCloseTo(12, within(1e-7));
        assertThat(lanczos.largest().get(0).value()).isCloseTo(found.value(), within(1e-7));
        assertThat(Math.abs(found.vector().dot(lanczos.largest().get(0).vector())))
                .isCloseTo(1, within(1e-7));
    }

    @Test
    void whoAsksForAllFindsAnEigenvalueAsOftenAsItOccurs() {
        double[] values = new double[N];
        Arrays.fill(values, 1);
        Arrays.fill(values, 0, 3, 5);
        var spectrum = Spectrum.of(withSpectrum(values), like, new Spectrum.Wanted(N, 1e-9, N), STREAMS);
        assertThat(spectrum.largest().subList(0, 4))
                .extracting(Eigenpair::value)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : Double.compare(a, b))
                .containsExactly(5.0, 5.0, 5.0, 1.0);
    }

    @Test
    void thereAreNoMoreEigenvaluesThanDimensions() {
        var spectrum = Spectrum.of(withSpectrum(eigenvalues()), like, new Spectrum.Wanted(2 * N, 0, 5 * N), STREAMS);
        assertThat(spectrum.largest()).hasSize(N);
    }

    @Test
    void theTraceIsWithinItsErrorAndOfADiagonalMatrixExact() {
        double[] values = eigenvalues();
        double sum = DoubleStream.of(values).sum();
        Trace trace = Trace.of(withSpectrum(values), like, 200, STREAMS);
        assertThat(trace.standardError()).isPositive().isLessThan(2);
        assertThat(trace.value()).isCloseTo(sum, within(4 * trace.standardError()));

        Tensor diagonal = Tensor.create(values);
        SymmetricOperator operator = (vector, to) -> Measured.view(to).copy_(diagonal.mul(Measured.view(vector)));
        assertThat(Trace.of(operator, like, 2, STREAMS).value()).isCloseTo(sum, within(1e-12));
    }

    @Test
    void theDensityLiesAtTheEigenvaluesByTheirShares() {
        double[] values = new double[N];
        Arrays.fill(values, 0, N / 4, -2);
        Arrays.fill(values, N / 4, N / 2, 1);
        Arrays.fill(values, N / 2, N, 3);
        // Three different eigenvalues: three steps are exact for each start, and the starts average the shares.
        var density = SpectralDensity.of(withSpectrum(values), like, 200, 3, STREAMS);
        assertThat(density.nodes())
                .allSatisfy(node -> assertThat(DoubleStream.of(-2, 1, 3)
                                .map(each -> Math.abs(each - node.value()))
                                .min()
                                .orElseThrow())
                        .isLessThan(1e-9));
        // Of one start the share varies by √(2·¼·¾/N) at most.
        assertThat(density.share(0)).isCloseTo(0.25, within(0.025));
        assertThat(density.share(2)).isCloseTo(0.5, within(0.025));
        assertThat(density.share(4)).isCloseTo(1, within(1e-9));
        assertThat(density.mean()).isCloseTo(DoubleStream.of(values).sum() / N, within(0.1));
        double whole = 0;
        for (double x = -4; x < 5; x += 0.01) {
            whole += 0.01 * density.at(x, 0.1);
        }
        assertThat(whole).isCloseTo(1, within(1e-3));
    }

    @Test
    void theSameSeedGivesTheSameBitsAndAnotherSeedOthers() {
        var operator = withSpectrum(eigenvalues());
        assertThat(Trace.of(operator, like, 5, STREAMS)).isEqualTo(Trace.of(operator, like, 5, STREAMS));
        assertThat(Trace.of(operator, like, 5, new RandomStreams(4)))
                .isNotEqualTo(Trace.of(operator, like, 5, STREAMS));
        assertThat(SpectralDensity.of(operator, like, 2, 9, STREAMS))
                .isEqualTo(SpectralDensity.of(operator, like, 2, 9, STREAMS));
    }
}
