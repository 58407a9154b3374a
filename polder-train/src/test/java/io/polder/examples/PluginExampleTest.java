package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.junit.jupiter.api.Test;

/** What {@code docs/plugins.md} shows; that it works as a jar is shown by the command line's tests. */
class PluginExampleTest {
    @Test
    void theExampleOfTheDocumentationWorks() {
        assertThat(new Mine().records()).containsExactly(Mine.Scaled.class, Mine.Small.class);
        try (var scope = Scope.open()) {
            var network = new Mine.Small(8).build(1, 28, 10, new RandomStreams(0));
            try (var parameters = FlatParameters.of(network.parametersByName())) {
                parameters.gradient().setZero().add(1);
                double norm = parameters.gradient().norm();
                new Mine.Scaled(0.5).scheme(1, 1, new RandomStreams(0)).computeGradient(pass -> 1, parameters, 0);
                assertThat(parameters.gradient().norm()).isEqualTo(norm / 2);
            }
        }
    }
}
