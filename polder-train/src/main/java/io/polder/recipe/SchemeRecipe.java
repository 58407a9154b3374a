package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.penalty.Coefficients;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.HybridScheme;
import io.polder.penalty.Mix;
import io.polder.penalty.Perturbation;
import io.polder.schedule.Schedule;
import io.polder.tensor.RandomStreams;

/** How the gradient of a step is computed; see {@code io.polder.penalty}. Plug-ins add to it. */
@ByName(
        value = "name",
        known = {
            SchemeRecipe.Standard.class,
            SchemeRecipe.Sam.class,
            SchemeRecipe.GradientNormPenalty.class,
            SchemeRecipe.ExactPenalty.class
        })
public interface SchemeRecipe {
    String R = "The radius: how far from the parameters the second gradient is taken.";
    String PERTURBATION =
            "The norm in which the perturbation has length r; the paper's is l2, adaptive wants an r ten times larger.";
    String SYNC =
            "Averages the first gradient over replicas too, for one more exchange a step; nothing changes with one replica.";
    String PROBABILITY = "How often a step is penalised; the others are standard steps at half the cost.";
    String WARMUP = "A gentle start; null: none.";

    /**
     * The scheme of a run.
     *
     * @param steps of the whole run
     * @param streams of the run's seed
     */
    GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams);

    /** As a recipe names it. */
    default String called() {
        return getClass().getAnnotation(Called.class).value();
    }

    @Called(value = "standard", about = "The gradient of the loss, in one pass.")
    record Standard() implements SchemeRecipe {
        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            return GradientScheme.standard();
        }
    }

    /** What the two-pass schemes have in common. */
    sealed interface TwoPasses extends SchemeRecipe {
        Amount r();

        /** The balance; null if λ is given. */
        Amount alpha();

        /** α·r; null if α is given. */
        Amount lambda();

        Mix mix();

        Perturbation perturbation();

        boolean syncPerturbation();

        Amount probability();

        /** null: none */
        Warmup warmup();

        @Override
        default GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            Schedule r = r().over(stepsPerEpoch, steps);
            Coefficients coefficients = lambda() == null
                    ? new Coefficients(r, alpha().over(stepsPerEpoch, steps))
                    : Coefficients.ofLambda(r, lambda().over(stepsPerEpoch, steps));
            if (warmup() != null) {
                coefficients = warmup().of(coefficients, stepsPerEpoch);
            }
            var penalty = new io.polder.penalty.GradientNormPenalty(coefficients, perturbation(), mix());
            return probability().isAlways(1)
                    ? penalty
                    : new HybridScheme(penalty, probability().over(stepsPerEpoch, steps), streams);
        }
    }

    @Called(value = "sam", about = "Sharpness-aware minimisation: the gradient at the perturbed parameters.")
    record Sam(
            @Field(about = R, min = 0) Amount r,
            @Field(about = PERTURBATION, fallback = "l2") Perturbation perturbation,
            @Field(about = SYNC, fallback = "false") boolean syncPerturbation,

            @Field(about = PROBABILITY, fallback = "1.0", min = 0, max = 1)
            Amount probability,

            @Field(about = WARMUP, fallback = "null") Warmup warmup)
            implements TwoPasses {
        public Sam {
            Values.checked(Sam.class, r, perturbation, syncPerturbation, probability, warmup);
        }

        /** Always 1: that is what SAM is. */
        @Override
        public Amount alpha() {
            return Amount.of(1);
        }

        @Override
        public Amount lambda() {
            return null;
        }

        /** Either form is the same at α = 1. */
        @Override
        public Mix mix() {
            return Mix.GRADIENT;
        }
    }

    @Called(
            value = "gradient-norm-penalty",
            about = "The paper's: the first gradient and the one at the perturbed parameters, mixed.")
    record GradientNormPenalty(
            @Field(about = R, min = 0) Amount r,

            @Field(
                    about =
                            "The balance: 0 is standard training, 1 is SAM, 0.7 to 0.8 the paper's advice. This or lambda.",
                    fallback = "null")
            Amount alpha,

            @Field(about = "The weight of the gradient norm in the loss, α·r. This or alpha.", fallback = "null")
            Amount lambda,

            @Field(
                    about = "gradient is Algorithm 1 of the paper, direction what the authors' code does by default.",
                    fallback = "gradient")
            Mix mix,

            @Field(about = PERTURBATION, fallback = "l2") Perturbation perturbation,
            @Field(about = SYNC, fallback = "false") boolean syncPerturbation,

            @Field(about = PROBABILITY, fallback = "1.0", min = 0, max = 1)
            Amount probability,

            @Field(about = WARMUP, fallback = "null") Warmup warmup)
            implements TwoPasses {
        public GradientNormPenalty {
            Values.checked(
                    GradientNormPenalty.class,
                    r,
                    alpha,
                    lambda,
                    mix,
                    perturbation,
                    syncPerturbation,
                    probability,
                    warmup);
        }
    }

    @Called(
            value = "exact-penalty",
            about =
                    "The penalty with the exact product of the Hessian: a reference, slower, for networks that have second derivatives.")
    record ExactPenalty(
            @Field(
                    about = "The weight of the gradient norm in the loss: that of gradient-norm-penalty is α·r.",
                    min = 0)
            Amount lambda)
            implements SchemeRecipe {
        public ExactPenalty {
            Values.checked(ExactPenalty.class, lambda);
        }

        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            return new io.polder.penalty.ExactPenalty(lambda.over(stepsPerEpoch, steps));
        }
    }
}
