package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
    @Test
    void askingTwiceGivesTheSameDraws() {
        var streams = new RandomStreams(3);
        assertThat(streams.random("augment", 4, 17).nextLong())
                .isEqualTo(streams.random("augment", 4, 17).nextLong());
        try (var scope = Scope.open()) {
            var first = torch.empty(100).uniform_(0, 1, new GeneratorOptional(streams.generator("forward", 5)));
            var second = torch.empty(100).uniform_(0, 1, new GeneratorOptional(streams.generator("forward", 5)));
            assertThat(first.equal(second)).isTrue();
        }
    }

    @Test
    void drawsOfTheCpuAreThoseOfItsMersenneTwister() {
        var streams = new RandomStreams(3);
        try (var scope = Scope.open()) {
            var ours = new GeneratorOptional(streams.generator(Device.CPU, "forward", 5));
            var plain = new GeneratorOptional(torch.make_generator_cpu(streams.seedOf("forward", 5)));
            assertThat(torch.empty(100)
                            .normal_(0, 1, ours)
                            .equal(torch.empty(100).normal_(0, 1, plain)))
                    .isTrue();
        }
    }

    @Test
    void seedNameAndEveryCounterSeparateStreams() {
        Set<Long> seeds = new HashSet<>();
        int asked = 0;
        for (long seed = 0; seed < 10; seed++) {
            for (String name : new String[] {"shuffle", "augment", "forward", ""}) {
                asked++;
                seeds.add(new RandomStreams(seed).seedOf(name));
                for (long a = 0; a < 10; a++) {
                    asked++;
                    seeds.add(new RandomStreams(seed).seedOf(name, a));
                    for (long b = 0; b < 10; b++) {
                        asked++;
                        seeds.add(new RandomStreams(seed).seedOf(name, a, b));
                    }
                }
            }
        }
        assertThat(seeds).hasSize(asked);
    }

    @Test
    void seedsAreFixedForever() {
        // A run of last year must draw the same today: these numbers may not change.
        assertThat(new RandomStreams(0).seedOf("shuffle", 0)).isEqualTo(-7522219599995432897L);
        assertThat(new RandomStreams(0).random("shuffle", 0).nextInt(1000)).isEqualTo(17);
    }
}
