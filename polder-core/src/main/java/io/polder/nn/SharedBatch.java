package io.polder.nn;

import org.bytedeco.pytorch.Tensor;

/** Others have shares of the same batch: {@link BatchNorm2d} then asks for statistics of all of it. */
@FunctionalInterface
public interface SharedBatch {
    /** The tensor, which is contiguous and in double precision, becomes the sum of those of all. Everybody calls it, in the same order. */
    void sum(Tensor numbers);
}
