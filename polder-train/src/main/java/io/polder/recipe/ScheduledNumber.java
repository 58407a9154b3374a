package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Span;
import io.polder.config.Values;
import io.polder.schedule.Schedule;

/** A number of a scheme: the same at every step, or a schedule. */
@ByName(value = "schedule", number = ScheduledNumber.Constant.class)
public sealed interface ScheduledNumber extends Span {
    @Override
    @Field(about = "At the first step.")
    double from();

    /** As a function of the step, in a run of so many steps. */
    Schedule over(long stepsPerEpoch, long totalSteps);

    /** How long it changes for; null: the whole run, or not at all. */
    @Field(about = "Over how many epochs; the last value stays. null: the whole run.", fallback = "null", above = 0)
    default Double epochs() {
        return null;
    }

    static ScheduledNumber of(double value) {
        return new Constant(value);
    }

    /** Whether it is this number at every step. */
    default boolean isAlways(double value) {
        return this instanceof Constant && from() == value;
    }

    @Called(value = "constant", about = "The same at every step; a number by itself is short for it.")
    record Constant(@Field(about = "The value.") double base) implements ScheduledNumber {
        public Constant {
            Values.checked(Constant.class, base);
        }

        @Override
        public Schedule over(long stepsPerEpoch, long totalSteps) {
            return Schedule.constant(base);
        }

        @Override
        public double from() {
            return base;
        }

        @Override
        public double to() {
            return base;
        }
    }

    @Called(value = "linear", about = "Evenly from one value to another.")
    record Linear(double from, @Field(about = "At the end.") double to, Double epochs) implements ScheduledNumber {

        public Linear {
            Values.checked(Linear.class, from, to, epochs);
        }

        @Override
        public Schedule over(long stepsPerEpoch, long totalSteps) {
            return Schedule.linear(from, to, Epochs.steps(epochs, stepsPerEpoch, totalSteps));
        }
    }

    @Called(value = "cosine", about = "By half a cosine from one value to another.")
    record Cosine(
            double from,
            @Field(about = "At the end.", fallback = "0.0") double to,

            Double epochs) implements ScheduledNumber {
        public Cosine {
            Values.checked(Cosine.class, from, to, epochs);
        }

        @Override
        public Schedule over(long stepsPerEpoch, long totalSteps) {
            return Schedule.cosine(from, to, Epochs.steps(epochs, stepsPerEpoch, totalSteps));
        }
    }

    /** From a base towards 0. */
    sealed interface Falling extends ScheduledNumber, Decay {
        @Field(about = "At the first step.")
        double base();

        @Override
        default double from() {
            return base();
        }

        @Override
        default double to() {
            return 0;
        }
    }

    @Called(value = "exponential", about = "base · factor^(epoch / everyEpochs), smoothly.")
    record Exponential(double base, double factor, double everyEpochs) implements Falling {
        public Exponential {
            Values.checked(Exponential.class, base, factor, everyEpochs);
        }

        @Override
        public Schedule over(long stepsPerEpoch, long totalSteps) {
            return Schedule.exponential(base, factor, Epochs.steps(everyEpochs, stepsPerEpoch, totalSteps));
        }
    }

    @Called(value = "stairs", about = "base, times factor after each everyEpochs.")
    record Stairs(double base, double factor, double everyEpochs) implements Falling {
        public Stairs {
            Values.checked(Stairs.class, base, factor, everyEpochs);
        }

        @Override
        public Schedule over(long stepsPerEpoch, long totalSteps) {
            return Schedule.stairs(base, factor, Epochs.steps(everyEpochs, stepsPerEpoch, totalSteps));
        }
    }
}
