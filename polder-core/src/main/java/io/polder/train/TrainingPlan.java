package io.polder.train;

import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Optimizer;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import java.util.function.Supplier;

/**
 * How a network is trained. With the network, the data and the seed it determines the result.
 *
 * @param evaluateEvery on the test images after each so many epochs, and after the last in any case
 * @param optimizer makes the optimizer of a run, which has state of its own
 * @param learningRate by step, not by epoch
 */
public record TrainingPlan(
        int epochs,
        int evaluateEvery,
        GradientScheme scheme,
        Objective objective,
        Supplier<Optimizer> optimizer,
        Schedule learningRate,
        ClipByGlobalNorm clip) {
    public TrainingPlan {
        if (epochs < 1) {
            throw new IllegalArgumentException("epochs is " + epochs + ": it must be at least 1");
        }
        if (evaluateEvery < 1) {
            throw new IllegalArgumentException("evaluateEvery is " + evaluateEvery + ": it must be at least 1");
        }
    }

    /** @param epoch counts from 1 */
    boolean evaluatesAfter(int epoch) {
        return epoch % evaluateEvery == 0 || epoch == epochs;
    }
}
