package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.penalty.Coefficients;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.IntermittentScheme;
import io.polder.penalty.Mix;
import io.polder.penalty.Perturbation;
import io.polder.penalty.Turns;
import io.polder.schedule.Schedule;
import io.polder.tensor.RandomStreams;

/** How the gradient of a step is computed; see {@code io.polder.penalty}. Plug-ins add to it. */
@ByName(
        value = "name",
        known = {SchemeRecipe.Standard.class, SchemeRecipe.Sam.class, SchemeRecipe.GradientNormPenalty.class})
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
        ScheduledNumber r();

        /** The balance; null if λ is given. SAM has no other than 1. */
        default ScheduledNumber alpha() {
            return ScheduledNumber.of(1);
        }

        /** α·r; null if α is given. */
        default ScheduledNumber lambda() {
            return null;
        }

        /** Either form is the same at α = 1. */
        default Mix mix() {
            return Mix.GRADIENT;
        }

        Perturbation perturbation();

        boolean syncPerturbation();

        ScheduledNumber probability();

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
                    : new IntermittentScheme(
                            penalty, Turns.withProbability(probability().over(stepsPerEpoch, steps), streams));
        }
    }

    @Called(value = "sam", about = "Sharpness-aware minimisation: the gradient at the perturbed parameters.")
    record Sam(
            @Field(about = R, min = 0) ScheduledNumber r,
            @Field(about = PERTURBATION, fallback = "l2") Perturbation perturbation,
            @Field(about = SYNC, fallback = "false") boolean syncPerturbation,

            @Field(about = PROBABILITY, fallback = "1.0", min = 0, max = 1)
            ScheduledNumber probability,

            @Field(about = WARMUP, fallback = "null") Warmup warmup)
            implements TwoPasses {
        public Sam {
            Values.checked(Sam.class, r, perturbation, syncPerturbation, probability, warmup);
        }
    }

    @Called(
            value = "gradient-norm-penalty",
            about = "The paper's: the first gradient and the one at the perturbed parameters, mixed.")
    record GradientNormPenalty(
            @Field(about = R, min = 0) ScheduledNumber r,

            @Field(
                    about =
                            "The balance: 0 is standard training, 1 is SAM, 0.7 to 0.8 the paper's advice. This or lambda.",
                    fallback = "null")
            ScheduledNumber alpha,

            @Field(about = "The weight of the gradient norm in the loss, α·r. This or alpha.", fallback = "null")
            ScheduledNumber lambda,

            @Field(
                    about = "gradient is Algorithm 1 of the paper, direction what the authors' code does by default.",
                    fallback = "gradient")
            Mix mix,

            @Field(about = PERTURBATION, fallback = "l2") Perturbation perturbation,
            @Field(about = SYNC, fallback = "false") boolean syncPerturbation,

            @Field(about = PROBABILITY, fallback = "1.0", min = 0, max = 1)
            ScheduledNumber probability,

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

    /** A gentle start of the penalty; see {@code io.polder.penalty.Coefficients}. */
    public record Warmup(
            @Field(
                    about =
                            "What grows from 0 to its value: r, lambda, or zero for none of it before the end of the warm-up.")
            Quantity of,

            @Field(about = "For how long.", above = 0) double epochs) {
        /** What is held back. */
        public enum Quantity {
            R,
            LAMBDA,
            /** Standard training until the warm-up is over. */
            ZERO
        }

        public Warmup {
            Values.checked(Warmup.class, of, epochs);
        }

        /** To the nearest step, at least one. */
        long steps(long stepsPerEpoch) {
            return Epochs.steps(epochs, stepsPerEpoch, 0);
        }

        /** The coefficients with this start. */
        Coefficients of(Coefficients coefficients, long stepsPerEpoch) {
            long steps = steps(stepsPerEpoch);
            return switch (of) {
                case R -> coefficients.warmUpRadius(steps);
                case LAMBDA -> coefficients.warmUpLambda(steps);
                case ZERO -> coefficients.offFor(steps);
            };
        }
    }
}
