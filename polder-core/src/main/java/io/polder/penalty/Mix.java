package io.polder.penalty;

import io.polder.tensor.FlatVector;

/** How the two gradients become one. */
public enum Mix {
    /** g = (1 − α)·g1 + α·g2: Algorithm 1 of the paper. */
    GRADIENT,
    /**
     * g = (1 − α)·g1/‖g1‖ + α·g2: what the authors' public code does unless told otherwise. The first term then keeps its
     * length however small the gradient gets.
     */
    DIRECTION {
        @Override
        double weightOfFirst(double norm, double alpha) {
            return norm < Float.MIN_NORMAL ? 0 : (1 - alpha) / norm;
        }
    },
    /**
     * g = g2 − α·(what of g1 is orthogonal to g2): GSAM (Zhuang et al., ICLR 2022), which lowers the loss at the perturbed parameters
     * and, by its second term, the gap between the two losses. α = 0 is SAM. Its authors let r follow the learning rate.
     */
    SURROGATE_GAP {
        @Override
        boolean needsSecond(double alpha) {
            return true;
        }

        @Override
        void combine(FlatVector g1, FlatVector g2, double norm, double alpha) {
            double square = g2.dot(g2);
            double along = square < Float.MIN_NORMAL ? 0 : g1.dot(g2) / square;
            g1.scale(-alpha).add(1 + alpha * along, g2);
        }

        @Override
        void withoutPerturbation(FlatVector g, double norm, double alpha) {} // g1 has nothing orthogonal to itself
    };

    double weightOfFirst(double norm, double alpha) {
        return 1 - alpha;
    }

    /** Whether g2 has any part in it. */
    boolean needsSecond(double alpha) {
        return alpha != 0;
    }

    /** {@code g1} is left with the mix. α = 1 makes it g2 to the bit: adding 0·g1 would lose negative zeros. */
    void combine(FlatVector g1, FlatVector g2, double norm, double alpha) {
        double weight = weightOfFirst(norm, alpha);
        if (alpha == 1) {
            g1.set(g2);
        } else if (weight == 1 - alpha) {
            g1.mix(alpha, g2);
        } else {
            g1.scale(weight).add(alpha, g2);
        }
    }

    /** {@code g} holds g1, which g2 equals as nothing was perturbed. */
    void withoutPerturbation(FlatVector g, double norm, double alpha) {
        double weight = weightOfFirst(norm, alpha) + alpha;
        if (weight != 1) {
            g.scale(weight);
        }
    }
}
