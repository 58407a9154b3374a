package io.polder.recipe;

import io.polder.config.Named;

/** In which norm the perturbation has length r; see {@code io.polder.penalty.Perturbation}. */
public enum PerturbationNorm implements Named {
    L2,
    /** Each parameter in proportion to its own size (ASAM). */
    ADAPTIVE
}
