package io.polder.nn;

/** Which of the two gradients of one step is being computed. */
public enum Pass {
    /** At θ: gives g1, and updates batch-norm's running statistics. */
    REFERENCE,
    /** At θ + r·g1/‖g1‖: gives g2, on the same batch with the same draws, and leaves no trace in the network. */
    PERTURBED
}
