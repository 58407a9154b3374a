package io.polder.nn;

import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Tensor;

/**
 * First weights of convolutional networks, drawn from the run's own stream: the engine's constructors draw theirs from its global
 * generator.
 *
 * <p>All agree on convolutions (Kaiming's normal distribution by fan-out, deviation √(2 / (outputs · kernel area))), on biases (zero)
 * and on normalisation (scale one). They differ in dense layers.
 */
public final class Initialization {
    /** How a dense layer starts; its bias has been set to zero. */
    @FunctionalInterface
    public interface Dense {
        /** @param weight (outputs, inputs) */
        void draw(Tensor weight, Tensor bias, GeneratorOptional generator);
    }

    private Initialization() {}

    /** Dense layers uniform within ±1/√inputs. */
    public static void kaiming(Network network, RandomStreams streams) {
        draw(network, streams, (weight, bias, generator) -> uniform(weight, weight.size(1), generator));
    }

    /** As the networks of the method's authors start: dense layers uniform within ±1/√outputs. */
    public static void fanOut(Network network, RandomStreams streams) {
        draw(network, streams, (weight, bias, generator) -> uniform(weight, weight.size(0), generator));
    }

    /** As PyTorch's dense layers start by themselves: weight and bias uniform within ±1/√inputs. */
    public static void withPyTorchHead(Network network, RandomStreams streams) {
        draw(network, streams, (weight, bias, generator) -> {
            uniform(weight, weight.size(1), generator);
            uniform(bias, weight.size(1), generator);
        });
    }

    /** With dense layers by a rule of one's own. */
    public static void draw(Network network, RandomStreams streams, Dense dense) {
        try (var scope = Scope.withoutGradient()) {
            var generator = new GeneratorOptional(streams.generator("initial weights"));
            var named = network.parametersByName();
            named.forEach((name, parameter) -> {
                if (name.endsWith("bias")) {
                    parameter.zero_();
                }
            });
            named.forEach((name, parameter) -> {
                long[] shape = parameter.shape();
                if (shape.length == 4) {
                    parameter.normal_(0, Math.sqrt(2.0 / (shape[0] * shape[2] * shape[3])), generator);
                } else if (shape.length == 2) {
                    dense.draw(parameter, named.get(name.replaceFirst("weight$", "bias")), generator);
                }
            });
        }
    }

    private static void uniform(Tensor tensor, long fan, GeneratorOptional generator) {
        double bound = 1 / Math.sqrt(fan);
        tensor.uniform_(-bound, bound, generator);
    }
}
