package io.polder.penalty;

import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.util.Map;

/**
 * Uses a scheme with probability p(step), and standard training otherwise: a penalised step costs two passes, so p = ½ costs
 * one and a half on average. The draw is a function of the seed and the step.
 */
public record HybridScheme(GradientScheme scheme, Schedule probability, RandomStreams streams)
        implements GradientScheme {
    public HybridScheme {
        checked(probability.at(0));
    }

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        boolean penalised = streams.random("hybrid", step).nextDouble() < checked(probability.at(step));
        return (penalised ? scheme : GradientScheme.standard()).computeGradient(pass, parameters, step);
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        return scheme.memory(parameters);
    }

    @Override
    public void resumeAfter(long steps) {
        scheme.resumeAfter(steps);
    }

    @Override
    public void close() {
        scheme.close();
    }

    private static double checked(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability is " + probability + ": it must be between 0 and 1");
        }
        return probability;
    }
}
