package io.polder.penalty;

import io.polder.nn.Pass;
import io.polder.tensor.FlatVector;

/**
 * Computes the loss of one batch and its gradient at the present parameters.
 *
 * <p>The contract, which is what makes g2 − g1 curvature and not noise:
 *
 * <ul>
 *   <li>every call is on the same batch, with the same augmentation and the same random draws (F1);
 *   <li>only passes at θ change running statistics: not {@link Pass#PERTURBED} (F2);
 *   <li>the gradient replaces what is in the gradient buffer, and is that of the mean loss over the whole batch, micro-batches
 *       and L2 term included (F5, F10).
 * </ul>
 */
@FunctionalInterface
public interface LossPass {
    /** Leaves ∇L(θ) in the gradient buffer and returns L(θ), which may be anything but a reason to throw. */
    double compute(Pass pass);

    /**
     * product ← H·direction at θ, with H the Hessian of the same loss, exact but for rounding. Leaves no trace in the network.
     *
     * @throws UnsupportedOperationException if it cannot be had, with the name of the operation that has no second derivative
     */
    default void computeProduct(FlatVector direction, FlatVector product) {
        throw new UnsupportedOperationException(
                "this loss has no products with its Hessian: use a scheme that needs gradients only");
    }

    /**
     * The step is refused: what its passes left in the network, which is running statistics, is to be as it was before them. A pass
     * that throws has done so by itself.
     */
    default void takeBack() {}

    /** How many examples the batch has. */
    default long examples() {
        throw new UnsupportedOperationException("this loss has no examples to count");
    }

    /** The same on a part of the batch only: the examples from {@code first} on. */
    default LossPass part(long first, long count) {
        throw new UnsupportedOperationException("this loss has no examples to choose from");
    }

    /** The same on some examples of the batch only, by their places. They draw as the first of the batch do. */
    default LossPass only(long... examples) {
        throw new UnsupportedOperationException("this loss has no examples to choose from");
    }

    /** As {@link #compute(Pass)}, and tells the loss of each example. */
    default double compute(Pass pass, double[] losses) {
        throw new UnsupportedOperationException("this loss has no examples to tell of");
    }

    /** The loss of each example, without a gradient: a pass forward only. */
    default double[] losses(Pass pass) {
        throw new UnsupportedOperationException("this loss has no examples to tell of");
    }
}
