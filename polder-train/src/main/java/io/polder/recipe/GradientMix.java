package io.polder.recipe;

import io.polder.config.Named;

/** How the two gradients become one; see {@code io.polder.penalty.Mix}. */
public enum GradientMix implements Named {
    /** (1 − α)·g1 + α·g2: Algorithm 1 of the paper. */
    GRADIENT,
    /** (1 − α)·g1/‖g1‖ + α·g2: what the authors' public code does unless told otherwise. */
    DIRECTION
}
