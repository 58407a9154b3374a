package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.optim.Optimizer;

/** What takes the step; see {@code io.polder.optim}. Plug-ins add to it. */
@ByName(
        value = "name",
        known = {OptimizerRecipe.Sgd.class, OptimizerRecipe.AdamW.class, OptimizerRecipe.RmsProp.class})
public interface OptimizerRecipe {
    String L2 = "Weight decay as ½·l2·‖θ‖² in the loss, which both passes see.";

    /** One for a run. */
    Optimizer optimizer();

    /** The coefficient of ½‖θ‖² in the loss. */
    @Field(
            about = L2,
            fallback = "0.0",
            min = 0,
            alsoCalled = {"weightDecay", "wd"})
    default double l2() {
        return 0;
    }

    @Field(about = "Leaves biases and normalisation out of l2; the paper does not.", fallback = "false")
    default boolean l2SkipsVectors() {
        return false;
    }

    /** Decay that the optimizer itself applies, apart from the loss. */
    default double decoupledDecay() {
        return 0;
    }

    /** The same without that. */
    default OptimizerRecipe withoutDecoupledDecay() {
        return this;
    }

    @Field(
            about = "The largest norm of the gradient that is stepped with; null: no limit.",
            fallback = "null",
            above = 0)
    default Double clip() {
        return null;
    }

    @Called(value = "sgd", about = "Stochastic gradient descent with momentum.")
    record Sgd(
            @Field(
                    about = "The share of the last step that is kept; 0.9 is customary and the paper's.",
                    fallback = "0.9",
                    min = 0,
                    below = 1)
            double momentum,

            @Field(about = "Nesterov's form of momentum, which the authors' code uses.", fallback = "true")
            boolean nesterov,

            double l2,

            boolean l2SkipsVectors,

            Double clip)
            implements OptimizerRecipe {
        public Sgd {
            Values.checked(Sgd.class, momentum, nesterov, l2, l2SkipsVectors, clip);
        }

        @Override
        public Optimizer optimizer() {
            return new io.polder.optim.Sgd(momentum, nesterov);
        }
    }

    @Called(value = "adamw", about = "Adam with decoupled weight decay.")
    record AdamW(
            @Field(about = "Of the mean; the Adam paper's.", fallback = "0.9", min = 0, below = 1)
            double beta1,

            @Field(about = "Of the square; the Adam paper's.", fallback = "0.999", min = 0, below = 1)
            double beta2,

            @Field(about = "Keeps the quotient finite; the Adam paper's.", fallback = "1.0e-8", above = 0)
            double epsilon,

            @Field(
                    about = "Decoupled, and multiplied by the learning rate.",
                    fallback = "0.0",
                    min = 0,
                    alsoCalled = "wd")
            double weightDecay,

            @Field(about = L2, fallback = "0.0", min = 0) double l2,

            boolean l2SkipsVectors,

            Double clip)
            implements OptimizerRecipe {
        public AdamW {
            Values.checked(AdamW.class, beta1, beta2, epsilon, weightDecay, l2, l2SkipsVectors, clip);
        }

        @Override
        public double decoupledDecay() {
            return weightDecay;
        }

        @Override
        public OptimizerRecipe withoutDecoupledDecay() {
            return new AdamW(beta1, beta2, epsilon, 0, l2, l2SkipsVectors, clip);
        }

        @Override
        public Optimizer optimizer() {
            return new io.polder.optim.AdamW(new io.polder.optim.AdamW.Settings(beta1, beta2, epsilon, weightDecay));
        }
    }

    @Called(value = "rmsprop", about = "RMSProp with momentum.")
    record RmsProp(
            @Field(about = "Of the square; 0.9 is usual.", fallback = "0.9", min = 0, below = 1)
            double decay,

            @Field(about = "Keeps the quotient finite; 1e-8 is PyTorch's.", fallback = "1.0e-8", above = 0)
            double epsilon,

            @Field(about = "The share of the last step that is kept.", fallback = "0.9", min = 0, below = 1)
            double momentum,

            double l2,

            boolean l2SkipsVectors,

            Double clip)
            implements OptimizerRecipe {
        public RmsProp {
            Values.checked(RmsProp.class, decay, epsilon, momentum, l2, l2SkipsVectors, clip);
        }

        @Override
        public Optimizer optimizer() {
            return new io.polder.optim.RmsProp(decay, epsilon, momentum);
        }
    }
}
