package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.penalty.AscentShare;
import io.polder.penalty.Coefficients;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.IntermittentScheme;
import io.polder.penalty.Mix;
import io.polder.penalty.PartwiseScheme;
import io.polder.penalty.Perturbation;
import io.polder.penalty.Reuse;
import io.polder.penalty.ReusingScheme;
import io.polder.penalty.Turns;
import io.polder.schedule.Schedule;
import io.polder.tensor.RandomStreams;

/** How the gradient of a step is computed; see {@code io.polder.penalty}. Plug-ins add to it. */
@ByName(
        value = "name",
        known = {
            SchemeRecipe.Standard.class,
            SchemeRecipe.Sam.class,
            SchemeRecipe.GradientNormPenalty.class,
            SchemeRecipe.LookSam.class,
            SchemeRecipe.Gsam.class,
            SchemeRecipe.FriendlySam.class,
            SchemeRecipe.Esam.class,
            SchemeRecipe.MomentumSam.class,
            SchemeRecipe.ExactPenalty.class
        })
public interface SchemeRecipe {
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

    /** What takes a gradient away from the parameters. */
    interface Perturbing extends SchemeRecipe {
        @Field(
                about = "The radius: how far from the parameters the second gradient is taken.",
                min = 0,
                alsoCalled = "rho")
        ScheduledNumber r();
    }

    /** What takes a second gradient, at each step or at some. */
    sealed interface Intermittent extends Perturbing {
        @Field(
                about = "How often a step takes the second gradient; the others are standard steps. null: always.",
                fallback = "null",
                min = 0,
                max = 1)
        ScheduledNumber probability();

        @Field(
                about = "Takes the second gradient at every so many-th step only. This or probability; null: at each.",
                fallback = "null",
                min = 1)
        Long every();

        default boolean isAtEachStep() {
            return every() == null && (probability() == null || probability().isAlways(1));
        }

        default Turns turns(long stepsPerEpoch, long steps, RandomStreams streams) {
            if (every() == null && probability() != null) {
                return Turns.withProbability(probability().over(stepsPerEpoch, steps), streams);
            }
            return Turns.every(every() == null ? 1 : every());
        }

        /** A scheme that takes both gradients, at the steps that the recipe wants. */
        default GradientScheme atItsSteps(
                GradientScheme scheme, long stepsPerEpoch, long steps, RandomStreams streams) {
            return isAtEachStep() ? scheme : new IntermittentScheme(scheme, turns(stepsPerEpoch, steps, streams));
        }
    }

    /** And whose term can be kept for the steps between. */
    sealed interface Reusing extends Intermittent {
        @Field(
                about =
                        "What the steps between do: nothing, which is standard training, reuse what the last second gradient changed, or that by layer, as much as a layer's gradient points where it did.",
                fallback = "null")
        Between between();

        @Field(about = "How much of that is added, where it is reused; null: 1.", fallback = "null")
        ScheduledNumber reuse();

        @Field(
                about =
                        "Where it is reused, also takes the second gradient once the cosine of the gradient with that of the last time is below this.",
                fallback = "null",
                min = -1,
                max = 1)
        Double turned();

        @Override
        default GradientScheme atItsSteps(
                GradientScheme scheme, long stepsPerEpoch, long steps, RandomStreams streams) {
            if (between() == null || !between().reuses()) {
                return Intermittent.super.atItsSteps(scheme, stepsPerEpoch, steps, streams);
            }
            boolean byCosine = turned() != null && isAtEachStep();
            return new ReusingScheme(
                    scheme,
                    byCosine ? Turns.every(Long.MAX_VALUE) : turns(stepsPerEpoch, steps, streams),
                    turned() == null ? ReusingScheme.NEVER : turned(),
                    between() == Between.REUSE ? Reuse.DIFFERENCE : Reuse.DIFFERENCE_BY_LAYER,
                    (reuse() == null ? ScheduledNumber.of(1) : reuse()).over(stepsPerEpoch, steps));
        }
    }

    /** What SAM and the penalty have in common. */
    sealed interface TwoPasses extends Reusing {
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

        @Field(
                about =
                        "The norm in which the perturbation has length r; the paper's is l2, adaptive wants an r ten times larger.",
                fallback = "l2")
        Perturbation perturbation();

        @Field(
                about =
                        "Averages the first gradient over replicas too, for one more exchange a step; nothing changes with one replica.",
                fallback = "false")
        boolean syncPerturbation();

        @Override
        @Field( // not null when left out: hashes have it
                about = "How often a step is penalised; the others are standard steps at half the cost.",
                fallback = "1.0",
                min = 0,
                max = 1)
        ScheduledNumber probability();

        @Field(about = "A gentle start; null: none.", fallback = "null")
        Warmup warmup();

        @Field(
                about =
                        "The share of the batch that gives the first gradient, so that a step costs 1 + share; null: 1.",
                fallback = "null",
                above = 0,
                max = 1)
        Double ascentShare();

        @Field(
                about = "Perturbs the batch in parts of so many examples, each by its own gradient; null: as a whole.",
                fallback = "null",
                min = 1)
        Long perturbationExamples();

        @Override
        default GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            Schedule r = r().over(stepsPerEpoch, steps);
            Coefficients coefficients = lambda() == null
                    ? new Coefficients(r, alpha().over(stepsPerEpoch, steps))
                    : Coefficients.ofLambda(r, lambda().over(stepsPerEpoch, steps));
            if (warmup() != null) {
                coefficients = warmup().of(coefficients, stepsPerEpoch);
            }
            GradientScheme scheme = new io.polder.penalty.GradientNormPenalty(coefficients, perturbation(), mix());
            if (perturbationExamples() != null) {
                scheme = new PartwiseScheme(scheme, perturbationExamples());
            }
            if (ascentShare() != null) {
                scheme = new AscentShare(scheme, ascentShare());
            }
            return atItsSteps(scheme, stepsPerEpoch, steps, streams);
        }
    }

    @Called(
            value = "sam",
            about = "Sharpness-aware minimisation: the gradient at the perturbed parameters.",
            alsoCalled = "asam: {name: sam, perturbation: adaptive}")
    record Sam(
            ScheduledNumber r,
            Perturbation perturbation,
            boolean syncPerturbation,

            ScheduledNumber probability,

            Warmup warmup,

            Long every,

            Between between,
            ScheduledNumber reuse,

            Double turned,

            Double ascentShare,

            Long perturbationExamples)
            implements TwoPasses {
        public Sam {
            Values.checked(
                    Sam.class,
                    r,
                    perturbation,
                    syncPerturbation,
                    probability,
                    warmup,
                    every,
                    between,
                    reuse,
                    turned,
                    ascentShare,
                    perturbationExamples);
        }
    }

    @Called(
            value = "gradient-norm-penalty",
            about = "The paper's: the first gradient and the one at the perturbed parameters, mixed.",
            alsoCalled = "gnp: gradient-norm-penalty")
    record GradientNormPenalty(
            ScheduledNumber r,

            @Field(
                    about =
                            "The balance: 0 is standard training, 1 is SAM, 0.7 to 0.8 the paper's advice. This or lambda.",
                    fallback = "null")
            ScheduledNumber alpha,

            @Field(about = "The weight of the gradient norm in the loss, α·r. This or alpha.", fallback = "null")
            ScheduledNumber lambda,

            @Field(
                    about =
                            "gradient is Algorithm 1 of the paper, direction what the authors' code does by default, surrogate-gap what the scheme gsam does.",
                    fallback = "gradient")
            Mix mix,

            Perturbation perturbation,
            boolean syncPerturbation,

            ScheduledNumber probability,

            Warmup warmup,

            Long every,

            Between between,
            ScheduledNumber reuse,

            Double turned,

            Double ascentShare,

            Long perturbationExamples)
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
                    warmup,
                    every,
                    between,
                    reuse,
                    turned,
                    ascentShare,
                    perturbationExamples);
        }

        /** With nothing of what makes it cheaper. */
        public GradientNormPenalty(
                ScheduledNumber r,
                ScheduledNumber alpha,
                ScheduledNumber lambda,
                Mix mix,
                Perturbation perturbation,
                boolean syncPerturbation,
                ScheduledNumber probability,
                Warmup warmup) {
            this(
                    r,
                    alpha,
                    lambda,
                    mix,
                    perturbation,
                    syncPerturbation,
                    probability,
                    warmup,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
    }

    /** What steps without a second gradient do. */
    enum Between {
        NOTHING,
        REUSE,
        REUSE_BY_LAYER;

        boolean reuses() {
            return this != NOTHING;
        }
    }

    @Called(
            value = "look-sam",
            about =
                    "LookSAM: SAM at every so many-th step, and between those the direction in which it differed from the gradient.")
    record LookSam(
            ScheduledNumber r,

            @Field(
                    about = "SAM at every so many-th step; 5 is the authors' for half of SAM's cost.",
                    fallback = "5",
                    min = 1)
            long every,

            @Field(
                    about = "How long the direction is, in lengths of the gradient; 0.7 is the authors'.",
                    fallback = "0.7",
                    min = 0)
            double reuse)
            implements Perturbing {
        public LookSam {
            Values.checked(LookSam.class, r, every, reuse);
        }

        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            return new ReusingScheme(
                    two(r, ScheduledNumber.of(1), Mix.GRADIENT, stepsPerEpoch, steps),
                    Turns.every(every),
                    ReusingScheme.NEVER,
                    Reuse.ORTHOGONAL,
                    Schedule.constant(reuse));
        }
    }

    @Called(
            value = "gsam",
            about = "GSAM: SAM, less a part of the gradient that is orthogonal to SAM's: the surrogate gap.")
    record Gsam(
            ScheduledNumber r,

            @Field(
                    about = "The weight of the orthogonal part; 0 is SAM, 0.4 the authors' for residual networks.",
                    fallback = "0.4")
            ScheduledNumber alpha,

            ScheduledNumber probability,

            Long every,

            Between between,
            ScheduledNumber reuse,

            Double turned)
            implements Reusing {
        public Gsam {
            Values.checked(Gsam.class, r, alpha, probability, every, between, reuse, turned);
        }

        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            var scheme = two(r, alpha, Mix.SURROGATE_GAP, stepsPerEpoch, steps);
            return atItsSteps(scheme, stepsPerEpoch, steps, streams);
        }
    }

    @Called(value = "friendly-sam", about = "FriendlySAM: SAM along what is peculiar to the batch.")
    record FriendlySam(
            ScheduledNumber r,

            @Field(
                    about = "How much of the mean gradient is taken out of the direction; 1 is the authors'.",
                    fallback = "1.0")
            double sigma,

            @Field(
                    about = "How much of the mean stays at each step; 0.9 is the authors'.",
                    fallback = "0.9",
                    min = 0,
                    below = 1)
            double lambda,

            ScheduledNumber probability,

            Long every,

            Between between,
            ScheduledNumber reuse,

            Double turned)
            implements Reusing {
        public FriendlySam {
            Values.checked(FriendlySam.class, r, sigma, lambda, probability, every, between, reuse, turned);
        }

        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            var scheme = new io.polder.penalty.FriendlySam(r.over(stepsPerEpoch, steps), sigma, lambda);
            return atItsSteps(scheme, stepsPerEpoch, steps, streams);
        }
    }

    @Called(
            value = "esam",
            about = "ESAM: SAM that perturbs some layers, and steps with the examples whose loss that raises most.")
    record Esam(
            ScheduledNumber r,

            @Field(about = "How often a layer is perturbed; 0.5 is the authors'.", fallback = "0.5", above = 0, max = 1)
            double weights,

            @Field(
                    about = "The share of the batch that is stepped with; 0.5 is the authors'.",
                    fallback = "0.5",
                    above = 0,
                    max = 1)
            double data,

            ScheduledNumber probability,

            Long every)
            implements Intermittent {
        public Esam {
            Values.checked(Esam.class, r, weights, data, probability, every);
        }

        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            var scheme = new io.polder.penalty.Esam(r.over(stepsPerEpoch, steps), weights, data, streams);
            return atItsSteps(scheme, stepsPerEpoch, steps, streams);
        }
    }

    @Called(value = "momentum-sam", about = "Momentum-SAM: SAM along past gradients, in one pass.")
    record MomentumSam(
            ScheduledNumber r,

            @Field(
                    about =
                            "How much of the past stays at each step; the optimizer's momentum in the authors' experiments.",
                    fallback = "0.9",
                    min = 0,
                    below = 1)
            double momentum)
            implements Perturbing {
        public MomentumSam {
            Values.checked(MomentumSam.class, r, momentum);
        }

        @Override
        public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
            return new io.polder.penalty.MomentumSam(r.over(stepsPerEpoch, steps), momentum);
        }
    }

    private static GradientScheme two(
            ScheduledNumber r, ScheduledNumber alpha, Mix mix, long stepsPerEpoch, long steps) {
        var coefficients = new Coefficients(r.over(stepsPerEpoch, steps), alpha.over(stepsPerEpoch, steps));
        return new io.polder.penalty.GradientNormPenalty(coefficients, Perturbation.L2, mix);
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

    @Called(
            value = "exact-penalty",
            about =
                    "The penalty with the exact product of the Hessian: a reference, slower, for networks that have second derivatives.")
    record ExactPenalty(
            @Field(
                    about = "The weight of the gradient norm in the loss: that of gradient-norm-penalty is α·r.",
                    min = 0)
            ScheduledNumber lambda)
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
