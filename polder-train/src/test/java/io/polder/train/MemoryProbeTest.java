package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.polder.data.ImageShape;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.Architectures;
import io.polder.nn.Network;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MemoryProbeTest {
    private static final ImageShape SHAPE = new ImageShape(3, 64, 64);
    private static final int CLASSES = 10;

    private static Network network() {
        return Architectures.named("wrn-10-2").build(3, 64, CLASSES, new RandomStreams(0));
    }

    private static long probe() throws IOException {
        try (var scope = Scope.open()) {
            return MemoryProbe.bytesPerImage(network(), SHAPE, CLASSES, new SoftCrossEntropy(0), PassOptions.l2(0));
        }
    }

    /**
     * By hand: WRN-10-2 keeps of each image, for the backward pass, the inputs of its convolutions, batch norms and ReLUs, which are 96 x
     * 64² numbers in its first block, 64 x 64² + 128 x 32² in its second, 128 x 32² + 256 x 16² in its third and 256 x 16² before its
     * head: 4.2 MB. Gradients on their way and what kernels work in are about twice that again.
     */
    @Test
    void anImageTakesWhatItsActivationsDoAndWhatIsOnItsWay() throws IOException {
        assertThat(probe()).isBetween(4_200_000L, 4 * 4_200_000L);
    }

    /**
     * Twenty images foretell the peak of many, also where former passes left memory that the process keeps: it was a twentieth of
     * the truth the third time. Within a third: the allocator's gaps are never the same twice, and made a sixth of difference in a
     * dozen tries.
     */
    @Test
    void theProbeForetellsThePeakOfALargerBatchHoweverOftenItIsMade() throws IOException {
        int few = 4;
        int many = 64;
        long probed = probe();
        double truth;
        try (var scope = Scope.open()) {
            var network = network();
            try (var parameters = FlatParameters.of(network.parametersByName());
                    var pass = new NetworkPass(
                            network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), new RandomStreams(0))) {
                long large = MemoryProbe.leastGrowthIn(pass, many, SHAPE, CLASSES);
                long small = MemoryProbe.leastGrowthIn(pass, few, SHAPE, CLASSES);
                truth = (large - small) / (double) (many - few);
            }
        }
        for (long estimate : new long[] {probed, probe(), probe()}) {
            assertThat((double) estimate).isCloseTo(truth, withinPercentage(33));
        }
    }
}
