package io.polder.examples;

import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Plugin;
import io.polder.models.ResidualNetwork;
import io.polder.nn.Network;
import io.polder.penalty.GradientScheme;
import io.polder.recipe.PluggedNetwork;
import io.polder.recipe.SchemeRecipe;
import io.polder.tensor.RandomStreams;
import java.util.List;

public final class Mine implements Plugin {
    @Override
    public List<Class<? extends Record>> records() {
        return List.of(Scaled.class, Small.class);
    }

    @Called(value = "scaled", about = "The gradient, times a number.")
    public record Scaled(
            @Field(about = "The number.", above = 0) double factor) implements SchemeRecipe {
        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            return (pass, parameters, step) -> {
                var gradient = GradientScheme.standard().computeGradient(pass, parameters, step);
                parameters.gradient().scale(factor);
                return gradient;
            };
        }
    }

    @Called(value = "small", about = "One block.")
    public record Small(
            @Field(about = "Its channels.", fallback = "4", min = 1)
            int width) implements PluggedNetwork {
        @Override
        public Network build(int channels, int image, int classes, RandomStreams streams) {
            return new ResidualNetwork(channels, List.of(width), 2, classes, streams);
        }
    }
}
