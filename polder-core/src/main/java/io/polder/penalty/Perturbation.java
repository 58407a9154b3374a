package io.polder.penalty;

import io.polder.tensor.FlatVector;

/** Where the second gradient is taken: θ' = θ + ε, with ε of length r in some norm. */
public enum Perturbation {
    /** ε = r·g1/‖g1‖, the norm taken over all parameters: the paper's. */
    L2 {
        @Override
        void move(FlatVector to, FlatVector theta, FlatVector gradient, double norm, double r) {
            to.setSum(theta, r / norm, gradient);
        }
    },
    /**
     * ε = r·T²g1/‖T g1‖ with T = |θ| + η: each parameter moves in proportion to its own size, so rescaling a layer changes
     * nothing (ASAM; Kwon et al., ICML 2021). Wants an r about ten times the L2 form's. Their code leaves T = 1 for biases and
     * normalisation; here it is the same for all. Costs one more copy of the parameters.
     */
    ADAPTIVE {
        @Override
        void move(FlatVector to, FlatVector theta, FlatVector gradient, double norm, double r) {
            FlatVector size = to.set(theta).absolute().add(ETA);
            try (FlatVector scaled = gradient.copy()) {
                double scaledNorm = scaled.multiply(size).norm();
                double factor = scaledNorm < Float.MIN_NORMAL ? 0 : r / scaledNorm;
                to.setSum(theta, factor, scaled.multiply(size));
            }
        }
    };

    /** η keeps parameters near zero moving; its authors' value on CIFAR. */
    static final double ETA = 0.01;

    /**
     * {@code to} ← θ + ε
     *
     * @param theta unchanged, as is the gradient
     * @param gradient g1
     * @param norm ‖g1‖, which is not zero
     * @param r the radius
     */
    abstract void move(FlatVector to, FlatVector theta, FlatVector gradient, double norm, double r);
}
