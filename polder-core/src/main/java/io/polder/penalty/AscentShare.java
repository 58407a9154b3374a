package io.polder.penalty;

import io.polder.nn.Pass;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * Takes the first gradient of a step of two passes, which gives the direction, from a share of the batch: the step costs 1 + share passes. The
 * second is of the whole batch. The loss and the norm ‖g1‖ that are reported are those of the share.
 */
public record AscentShare(GradientScheme scheme, double share) implements GradientScheme {
    public AscentShare {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("ascentShare is " + share + ": it must be above 0 and at most 1");
        }
    }

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        long examples = Math.max(1, Math.round(share * pass.examples()));
        var shared = new RelayedPass(
                pass, kind -> kind == Pass.REFERENCE ? pass.part(0, examples).compute(kind) : pass.compute(kind));
        return scheme.computeGradient(shared, parameters, step);
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
