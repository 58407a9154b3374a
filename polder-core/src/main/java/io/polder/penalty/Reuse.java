package io.polder.penalty;

import io.polder.tensor.FlatVector;

/** What of a step of two passes is kept for the steps of one pass that follow, and how it enters their gradient. */
public enum Reuse {
    /** d = g − g1, which is α·(g2 − g1), the penalty's own term; then g = g1 + share·d. */
    DIFFERENCE {
        @Override
        void keep(FlatVector term, FlatVector g, FlatVector g1, double norm) {
            term.setSum(g, -1, g1);
        }

        @Override
        void add(FlatVector g, double norm, FlatVector term, double share) {
            g.add(share, term);
        }
    },
    /**
     * LookSAM's (Liu et al., CVPR 2022): d is what of g is orthogonal to g1; then g = g1 + share·‖g1‖·d/‖d‖. Its authors project layer by
     * layer, here it is one projection of the whole, as one perturbation is.
     */
    ORTHOGONAL {
        @Override
        void keep(FlatVector term, FlatVector g, FlatVector g1, double norm) {
            term.setSum(g, norm < Float.MIN_NORMAL ? 0 : -g.dot(g1) / (norm * norm), g1);
        }

        @Override
        void add(FlatVector g, double norm, FlatVector term, double share) {
            double length = term.norm();
            if (length >= Float.MIN_NORMAL) {
                g.add(share * norm / length, term);
            }
        }
    };

    /** @param norm ‖g1‖ */
    abstract void keep(FlatVector term, FlatVector g, FlatVector g1, double norm);

    /**
     * @param g holds the gradient at θ and is left with the one to step with
     * @param norm its norm at θ
     */
    abstract void add(FlatVector g, double norm, FlatVector term, double share);
}
