package io.polder.penalty;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;

/** What of a step of two passes is kept for the steps of one pass that follow, and how it enters their gradient. */
public enum Reuse {
    /** d = g − g1, which is α·(g2 − g1), the penalty's own term; then g = g1 + share·d. */
    DIFFERENCE {
        @Override
        void add(FlatParameters parameters, double norm, FlatVector term, FlatVector first, double share) {
            parameters.gradient().add(share, term);
        }
    },
    /**
     * The same d, of which each layer l adds as much as its gradient still points where it did: g_l = g1_l + share·max(0, cos(g1_l, g1_l of then))·d_l.
     * A layer is a parameter tensor.
     */
    DIFFERENCE_BY_LAYER {
        @Override
        void add(FlatParameters parameters, double norm, FlatVector term, FlatVector first, double share) {
            FlatVector g = parameters.gradient();
            try (FlatVector agreement = parameters.agreement(g, first)) {
                g.addProduct(share, agreement, term);
            }
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
        void add(FlatParameters parameters, double norm, FlatVector term, FlatVector first, double share) {
            double length = term.norm();
            if (length >= Float.MIN_NORMAL) {
                parameters.gradient().add(share * norm / length, term);
            }
        }
    };

    /** @param norm ‖g1‖ */
    void keep(FlatVector term, FlatVector g, FlatVector g1, double norm) {
        term.setSum(g, -1, g1);
    }

    /**
     * @param parameters whose gradient is that at θ and is left as the one to step with
     * @param norm its norm at θ
     * @param first g1 of the step whose term it is
     */
    abstract void add(FlatParameters parameters, double norm, FlatVector term, FlatVector first, double share);
}
