package io.polder.loss;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.ParameterGroups;

/**
 * Weight decay as the term ½·c·‖θ‖² of the loss, so that both passes of a step see it at their own parameters, as in the
 * paper's experiments (F5). {@link AdamW}'s decoupled decay differs from it once a perturbation is in between. Its
 * gradient, c·θ, is written directly: no need to record and differentiate a square.
 */
public final class L2InLoss implements AutoCloseable {
    private final double coefficient;
    private final FlatVector decayed;

    /**
     * @param coefficient c; 0 for none
     * @param skipVectors leaves biases and normalisation's scales and shifts out, at the cost of one copy of the parameters
     */
    public L2InLoss(double coefficient, boolean skipVectors, FlatParameters parameters) {
        this(coefficient, skipVectors, ParameterGroups.NONE, parameters);
    }

    /** @param groups what c is multiplied by, for some; where any factor is not 1, at the cost of one copy too */
    public L2InLoss(double coefficient, boolean skipVectors, ParameterGroups groups, FlatParameters parameters) {
        if (!(coefficient >= 0 && coefficient < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("l2 is " + coefficient + ": it must be a finite number of at least 0");
        }
        this.coefficient = coefficient;
        this.decayed = coefficient == 0
                ? null
                : skipVectors
                        ? parameters.vector(slice -> slice.isVector() ? 0 : groups.decayFactor(slice.name()))
                        : groups.decays(parameters);
    }

    /** gradient ← c·θ: what a backward pass then adds to, which saves a pass over memory. */
    public void startGradient(FlatParameters parameters) {
        start(parameters.gradient(), parameters.values());
    }

    /** to ← c·of: of θ the term's gradient, of any other vector its Hessian's product with it. */
    public void start(FlatVector to, FlatVector of) {
        if (coefficient == 0) {
            to.setZero();
        } else {
            to.setScaled(coefficient, of);
            if (decayed != null) {
                to.multiply(decayed);
            }
        }
    }

    @Override
    public void close() {
        if (decayed != null) {
            decayed.close();
        }
    }
}
