package io.polder.penalty;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * Uses a scheme at some steps, and standard training at the others: a penalised step costs two passes, so every second one costs
 * one and a half on average.
 */
public record IntermittentScheme(GradientScheme scheme, Turns turns) implements GradientScheme {
    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        return (turns.at(step) ? scheme : GradientScheme.standard()).computeGradient(pass, parameters, step);
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
}
