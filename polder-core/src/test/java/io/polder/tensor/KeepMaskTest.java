package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(OpenScope.class)
class KeepMaskTest {
    private final Generator generator = new RandomStreams(5).generator("masks");

    /** Each of 64 numbers written out to 60 bits from the words and compared with p, against the short way. */
    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.5, 0.1, 1 / 3.0, 0.75, 1 - 0x1p-53, 0x1p-40, 1})
    void anElementIsKeptWhereItsUniformNumberIsBelow(double p) {
        for (long seed = -50; seed < 50; seed++) {
            long[] u = new long[64];
            long state = RandomStreams.mix(seed * KeepMask.GOLDEN);
            for (int bit = 59; bit >= 0; bit--) {
                state += KeepMask.GOLDEN;
                long word = RandomStreams.mix(state);
                for (int i = 0; i < 64; i++) {
                    u[i] |= (word >>> i & 1) << bit;
                }
            }
            long expected = 0;
            for (int i = 0; i < 64; i++) {
                expected |= (u[i] < p * 0x1p60 ? 1L : 0) << i;
            }
            assertThat(KeepMask.below(p, seed)).isEqualTo(expected);
        }
    }

    /** Within five standard deviations: of the share that is kept, and of neighbours, rows and words that are kept together. */
    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.5, 0.2})
    void elementsAreKeptByTheProbabilityAndIndependently(double kept) {
        int n = 1 << 20;
        double[] mask = Numbers.of(KeepMask.draw(kept, generator, 1024, n / 1024));
        assertThat(mask).containsOnly(0, (float) (1 / kept));
        assertThat(share(mask, n, 0)).isBetween(low(kept, n), high(kept, n));
        for (int lag : new int[] {1, 2, 63, 64, 65, 1024, 16384}) {
            double both = kept * kept;
            // Pairs that overlap are not independent: twice the variance is more than theirs.
            assertThat(share(mask, n - lag, lag)).isBetween(low(both, n / 2), high(both, n / 2));
        }
    }

    @Test
    void aMaskIsAFunctionOfTheGeneratorWhateverTheThreads() {
        int threads = Engine.threads();
        try {
            Tensor[] masks = new Tensor[3];
            for (int i = 0; i < 3; i++) {
                Engine.setThreads(i + 1);
                masks[i] = KeepMask.draw(0.7, new RandomStreams(5).generator("masks"), 77, 1001);
            }
            assertThat(masks[1].equal(masks[0])).isTrue();
            assertThat(masks[2].equal(masks[0])).isTrue();
            Tensor next = KeepMask.draw(0.7, generator, 77, 1001);
            assertThat(KeepMask.draw(0.7, generator, 77, 1001).equal(next)).isFalse();
        } finally {
            Engine.setThreads(threads);
        }
    }

    /** So a part of a batch has the masks that it has in the whole batch. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 63, 64, 65, 16383, 16385})
    void fewerElementsAreTheFirstOfMore(long size) {
        Tensor few = KeepMask.draw(0.6, new RandomStreams(5).generator("masks"), size);
        Tensor more = KeepMask.draw(0.6, new RandomStreams(5).generator("masks"), 3, 10_000);
        assertThat(more.flatten().narrow(0, 0, size).equal(few)).isTrue();
    }

    @Test
    void nothingKeptIsRefused() {
        assertThatThrownBy(() -> KeepMask.draw(0, generator, 3))
                .hasMessage("kept is 0.0: it must be above 0 and at most 1");
    }

    private static double share(double[] mask, int n, int lag) {
        int together = 0;
        for (int i = 0; i < n; i++) {
            together += mask[i] != 0 && mask[i + lag] != 0 ? 1 : 0;
        }
        return (double) together / n;
    }

    private static double low(double p, int n) {
        return p - 5 * Math.sqrt(p * (1 - p) / n);
    }

    private static double high(double p, int n) {
        return p + 5 * Math.sqrt(p * (1 - p) / n);
    }
}
