package io.polder.loss;

import org.bytedeco.pytorch.Tensor;

/** How far a network's outputs are from what they should be. */
@FunctionalInterface
public interface Loss {
    /**
     * A single number, with gradients recorded: the mean over the examples, so that parts of a batch add up by their sizes.
     *
     * @param outputs of the network, in float32; the first dimension counts examples
     * @param targets what they should be, one for each example
     */
    Tensor mean(Tensor outputs, Tensor targets);
}
