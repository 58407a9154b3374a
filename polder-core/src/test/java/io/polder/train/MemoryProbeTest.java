package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.ImageShape;
import io.polder.models.Architectures;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MemoryProbeTest {
    /**
     * By hand: WRN-10-2 on 64 x 64 has blocks of 32, 64 and 128 channels on 64, 32 and 16 pixels. Each keeps for the backward pass
     * the input of two convolutions and two batch norms: at least 4 x 4 bytes x (32 x 64² + 64 x 32² + 128 x 16²) = 3.7 MB. Kernels
     * and gradients may add several times that, but not ten.
     */
    @Test
    void anImageTakesAboutWhatItsActivationsDo() throws IOException {
        long bytes = MemoryProbe.bytesPerImage(
                () -> Architectures.named("wrn-10-2").build(3, 64, 10, new RandomStreams(0)),
                new ImageShape(3, 64, 64),
                10,
                Objective.crossEntropy(0));
        assertThat(bytes).isBetween(3_700_000L, 37_000_000L);
    }
}
