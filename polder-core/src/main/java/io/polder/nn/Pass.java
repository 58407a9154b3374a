package io.polder.nn;

/** Which of the gradients of one step is being computed. */
public enum Pass {
    /** At θ, in a step of one pass: gives the gradient of standard training, and updates batch-norm's running statistics. */
    ONLY,
    /** At θ, in a step of two: gives g1, and updates batch-norm's running statistics. */
    REFERENCE,
    /** At θ + r·g1/‖g1‖: gives g2, on the same batch with the same draws, and leaves no trace in the network. */
    PERTURBED;

    /** Whether the weights are the model's own: what the network measures in such a pass may enter it. */
    public boolean isAtTheta() {
        return this != PERTURBED;
    }
}
