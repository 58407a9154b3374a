package example;

import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Plugin;
import io.polder.nn.BatchNorm2d;
import io.polder.nn.Convolution;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.LossPass;
import io.polder.penalty.StepGradient;
import io.polder.recipe.PluggedNetwork;
import io.polder.recipe.SchemeRecipe;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Adds a scheme and a network to the names of recipes. */
public final class Mine implements Plugin {
    @Override
    public List<Class<? extends Record>> records() {
        return List.of(Smoothed.class, OneConvolution.class);
    }

    @Called(value = "smoothed", about = "The gradient, mixed with the one that was stepped with before.")
    public record Smoothed(@Field(about = "The share of the former one.", fallback = "0.5", min = 0, below = 1) double share)
            implements SchemeRecipe {
        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            return new SmoothedGradient(share);
        }
    }

    /** g ← (1 − share)·∇L(θ) + share·g of the step before. What it remembers is saved with each checkpoint. */
    private static final class SmoothedGradient implements GradientScheme {
        private final double share;
        private FlatVector last;

        SmoothedGradient(double share) {
            this.share = share;
        }

        @Override
        public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
            FlatVector before = memory(parameters).get("last");
            double loss = pass.compute(Pass.ONLY);
            FlatVector g = parameters.gradient();
            double norm = g.norm();
            g.scale(1 - share).add(share, before);
            before.set(g);
            return new StepGradient(loss, norm, g.norm(), Map.of("share", share));
        }

        @Override
        public Map<String, FlatVector> memory(FlatParameters parameters) {
            if (last == null) {
                last = parameters.gradient().copy().setZero();
            }
            return Map.of("last", last);
        }

        @Override
        public void close() {
            if (last != null) {
                last.close();
            }
        }
    }

    @Called(value = "one-convolution", about = "One convolution, its means, and a dense layer.")
    public record OneConvolution(@Field(about = "Its channels.", fallback = "8", min = 1) int width)
            implements PluggedNetwork {
        @Override
        public Network build(int channels, int image, int classes, RandomStreams streams) {
            return new Net(channels, width, classes, streams);
        }
    }

    private static final class Net extends Network {
        private final Conv2dImpl convolution;
        private final BatchNorm2d norm;
        private final LinearImpl head;

        Net(int channels, int width, int classes, RandomStreams streams) {
            convolution = register_module("convolution", Convolution.same(channels, width, 3, 2));
            norm = register_module("norm", new BatchNorm2d(width));
            head = register_module("head", new LinearImpl(width, classes));
            Initialization.kaiming(this, streams);
        }

        @Override
        public Tensor forward(Tensor images, Forward forward) {
            Tensor x = torch.relu(norm.forward(convolution.forward(images), forward));
            return head.forward(x.mean(2, 3));
        }
    }
}
