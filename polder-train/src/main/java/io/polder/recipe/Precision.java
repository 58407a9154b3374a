package io.polder.recipe;

/** What the network computes in; parameters, gradients and statistics are always float32. */
public enum Precision implements Named {
    FLOAT32,
    /** Brain floats by autocast, where the processor has them. */
    BF16
}
