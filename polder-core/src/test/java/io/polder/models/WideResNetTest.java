package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.junit.jupiter.api.Test;

class WideResNetTest {
    private static final RandomStreams STREAMS = new RandomStreams(2);

    @Test
    void logitsAreThoseOfTheAuthorsCode() {
        var golden = GoldenModels.of("WideResNet_16_4");
        try (var scope = Scope.open()) {
            var network = new WideResNet(16, 4, 3, golden.classes(), STREAMS);
            golden.assertParameters(network);
            FormulaWeights.fill(network);
            golden.assertInferenceLogits(network);
            golden.assertTrainingLogits(network);
        }
    }

    @Test
    void namesAreThoseOfAStateDict() {
        try (var scope = Scope.open()) {
            var network = new WideResNet(10, 1, 3, 10, STREAMS);
            assertThat(network.parametersByName().keySet())
                    .startsWith("stem.weight", "group1.0.norm1.weight", "group1.0.norm1.bias", "group1.0.conv1.weight")
                    .endsWith("group3.0.conv2.weight", "norm.weight", "norm.bias", "head.weight", "head.bias");
            assertThat(network.buffersByName()).containsKey("group2.0.norm2.running_mean");
        }
    }

    @Test
    void depthsAndWidthsThatDoNotExistAreRefused() {
        assertThatThrownBy(() -> new WideResNet(17, 4, 3, 10, STREAMS))
                .hasMessage("depth is 17: it must be 6n + 4, such as 16 or 28");
        assertThatThrownBy(() -> new WideResNet(4, 4, 3, 10, STREAMS)).hasMessageStartingWith("depth is 4:");
        assertThatThrownBy(() -> new WideResNet(-2, 4, 3, 10, STREAMS)).hasMessageStartingWith("depth is -2:");
        assertThatThrownBy(() -> new WideResNet(16, 0, 3, 10, STREAMS)).hasMessage("width is 0: it must be at least 1");
    }
}
