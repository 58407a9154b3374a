package io.polder.loss;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

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

    /** That of each example by itself. */
    default Tensor each(Tensor outputs, Tensor targets) {
        var losses = new TensorVector();
        for (long i = 0; i < outputs.size(0); i++) {
            losses.push_back(mean(outputs.narrow(0, i, 1), targets.narrow(0, i, 1)));
        }
        return torch.stack(losses);
    }
}
