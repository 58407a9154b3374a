package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.schedule.Schedule;

/** The learning rate over the run. A warm-up multiplies it by what grows evenly from 0 to 1; the schedule counts from the run's start. */
@ByName("schedule")
public sealed interface LearningRate {
    @Field(
            about = "At the start, warm-up aside.",
            above = 0,
            alsoCalled = {"lr", "learningRate"})
    double base();

    @Field(about = "For how long it grows evenly from 0; the paper's networks need none.", fallback = "0.0", min = 0)
    double warmupEpochs();

    /** Without the warm-up. */
    Schedule shape(long stepsPerEpoch, long totalSteps);

    /** As a function of the step, in a run of so many steps. */
    default Schedule over(long stepsPerEpoch, long totalSteps) {
        Schedule shape = shape(stepsPerEpoch, totalSteps);
        return warmupEpochs() == 0
                ? shape
                : shape.times(Schedule.linearWarmup(Epochs.steps(warmupEpochs(), stepsPerEpoch, totalSteps)));
    }

    @Called(value = "cosine", about = "Half a cosine down to 0 at the end of the run.")
    record Cosine(double base, double warmupEpochs) implements LearningRate {

        public Cosine {
            Values.checked(Cosine.class, base, warmupEpochs);
        }

        @Override
        public Schedule shape(long stepsPerEpoch, long totalSteps) {
            return Schedule.cosine(base, Math.max(1, totalSteps));
        }
    }

    @Called(value = "constant", about = "The same at every step.")
    record Constant(double base, double warmupEpochs) implements LearningRate {

        public Constant {
            Values.checked(Constant.class, base, warmupEpochs);
        }

        @Override
        public Schedule shape(long stepsPerEpoch, long totalSteps) {
            return Schedule.constant(base);
        }
    }

    @Called(value = "exponential", about = "base · factor^(epoch / everyEpochs), smoothly.")
    record Exponential(double base, double factor, double everyEpochs, double warmupEpochs)
            implements LearningRate, Decay {
        public Exponential {
            Values.checked(Exponential.class, base, factor, everyEpochs, warmupEpochs);
        }

        @Override
        public Schedule shape(long stepsPerEpoch, long totalSteps) {
            return Schedule.exponential(base, factor, Epochs.steps(everyEpochs, stepsPerEpoch, totalSteps));
        }
    }

    @Called(value = "stairs", about = "base, times factor after each everyEpochs.")
    record Stairs(double base, double factor, double everyEpochs, double warmupEpochs) implements LearningRate, Decay {

        public Stairs {
            Values.checked(Stairs.class, base, factor, everyEpochs, warmupEpochs);
        }

        @Override
        public Schedule shape(long stepsPerEpoch, long totalSteps) {
            return Schedule.stairs(base, factor, Epochs.steps(everyEpochs, stepsPerEpoch, totalSteps));
        }
    }
}
