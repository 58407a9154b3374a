package io.polder.nn;

import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.bytedeco.pytorch.GeneratorOptional;

/** First weights, drawn from the run's own stream: the engine's constructors draw theirs from its global generator. */
public final class Initialization {
    private Initialization() {}

    /**
     * Kaiming's normal distribution for convolutions, by fan-out as in wide residual networks: deviation √(2 / (outputs ·
     * kernel area)); uniform within ±1/√inputs for dense layers; zero for biases. Normalisation keeps its scale of one.
     */
    public static void kaiming(Network network, RandomStreams streams) {
        try (var scope = Scope.withoutGradient()) {
            var generator = new GeneratorOptional(streams.generator("initial weights"));
            network.parametersByName().forEach((name, parameter) -> {
                long[] shape = parameter.shape();
                if (shape.length == 4) {
                    parameter.normal_(0, Math.sqrt(2.0 / (shape[0] * shape[2] * shape[3])), generator);
                } else if (shape.length == 2) {
                    double bound = 1 / Math.sqrt(shape[1]);
                    parameter.uniform_(-bound, bound, generator);
                } else if (name.endsWith("bias")) {
                    parameter.zero_();
                }
            });
        }
    }
}
