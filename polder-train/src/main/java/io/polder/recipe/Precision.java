package io.polder.recipe;

import io.polder.config.Named;

/** What the network computes in; parameters, gradients and statistics are always float32. */
public enum Precision implements Named {
    FLOAT32,
    /** Brain floats by autocast, where the processor has them. */
    BF16
}
