package io.polder.sharpness;

import io.polder.tensor.FlatVector;

/** A symmetric matrix that is known by its products with vectors, such as a Hessian. */
@FunctionalInterface
public interface SymmetricOperator {
    /** to ← this · vector; they are not the same vector */
    void apply(FlatVector vector, FlatVector to);
}
