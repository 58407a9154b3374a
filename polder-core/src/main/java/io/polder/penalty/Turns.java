package io.polder.penalty;

import io.polder.schedule.Schedule;
import io.polder.tensor.RandomStreams;

/** At which steps something is done: a function of the step, so that a run that resumes does the same. */
@FunctionalInterface
public interface Turns {
    boolean at(long step);

    /** At the first step and then at each {@code k}-th. */
    static Turns every(long k) {
        if (k < 1) {
            throw new IllegalArgumentException("every is " + k + ": it must be at least 1");
        }
        return step -> step % k == 0;
    }

    /** With probability p(step), by a draw that is a function of the seed and the step. */
    static Turns withProbability(Schedule probability, RandomStreams streams) {
        checked(probability.at(0));
        return step -> streams.random("hybrid", step).nextDouble() < checked(probability.at(step));
    }

    private static double checked(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability is " + probability + ": it must be between 0 and 1");
        }
        return probability;
    }
}
