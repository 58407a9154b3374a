package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.junit.jupiter.api.Test;

class PyramidNetTest {
    private static final RandomStreams STREAMS = new RandomStreams(2);

    @Test
    void logitsAreThoseOfTheAuthorsCode() {
        var golden = GoldenModels.of("PyramidNet_164_48");
        try (var scope = Scope.open()) {
            var network = PyramidNet.plain(164, 48, 3, golden.classes(), STREAMS);
            golden.assertParameters(network);
            FormulaWeights.fill(network);
            golden.assertInferenceLogits(network);
            golden.assertTrainingLogits(network);
        }
    }

    @Test
    void shakeDropAddsANormAfterTheStemAndNothingElse() {
        try (var scope = Scope.open()) {
            var plain =
                    PyramidNet.plain(20, 5, 3, 10, STREAMS).parametersByName().keySet();
            var shaken = PyramidNet.withShakeDrop(20, 5, 3, 10, STREAMS)
                    .parametersByName()
                    .keySet();
            assertThat(shaken).containsAll(plain).hasSize(plain.size() + 2);
            assertThat(shaken).startsWith("stem.weight", "stem_norm.weight", "stem_norm.bias", "group1.0.norm1.weight");
        }
    }

    @Test
    void widthsAreRoundedHalfToEven() {
        try (var scope = Scope.open()) {
            // α = 9 over 6 blocks: 17.5, 19, 20.5, 22, 23.5, 25.
            var parameters = PyramidNet.plain(20, 9, 3, 10, STREAMS).parametersByName();
            long[] expected = {18, 19, 20, 22, 24, 25};
            for (int block = 0; block < expected.length; block++) {
                String name = "group" + (1 + block / 2) + "." + block % 2 + ".conv1.weight";
                assertThat(parameters.get(name).size(0)).as(name).isEqualTo(expected[block]);
            }
        }
    }

    @Test
    void depthsAndWideningsThatDoNotExistAreRefused() {
        assertThatThrownBy(() -> PyramidNet.plain(165, 48, 3, 10, STREAMS))
                .hasMessage("depth is 165: it must be 9n + 2, such as 164 or 272");
        assertThatThrownBy(() -> PyramidNet.plain(2, 48, 3, 10, STREAMS)).hasMessageStartingWith("depth is 2:");
        assertThatThrownBy(() -> PyramidNet.withShakeDrop(164, 0, 3, 10, STREAMS))
                .hasMessage("alpha is 0: it must be at least 1");
    }
}
