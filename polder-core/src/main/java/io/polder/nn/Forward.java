package io.polder.nn;

import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * How a network is to be run: for inference, or for one of the passes of a training step with the draws of that step.
 *
 * @param training false for inference: running statistics, no dropout, {@code pass} and {@code generator} unused
 * @param pass which pass of the step this is
 * @param generator the only source of random draws in the pass, on the device that it runs on; both passes of a step get one that starts from the same state
 * @param shared with whom statistics of the batch are made; null: with nobody
 */
public record Forward(boolean training, Pass pass, Generator generator, SharedBatch shared) {
    public static final Forward INFERENCE = new Forward(false, Pass.REFERENCE, null, null);

    public static Forward training(Pass pass, Generator generator) {
        return new Forward(true, pass, generator, null);
    }

    /** As one of several who have a share of the batch. */
    public Forward sharing(SharedBatch batch) {
        return new Forward(training, pass, generator, batch);
    }

    /** Room for draws of the generator: on its device, and in one precision, so that every precision has the same draws. */
    Tensor undrawn(long... shape) {
        var options = new TensorOptions(torch.ScalarType.Float).device(new DeviceOptional(generator.device()));
        return torch.empty(shape, options, new MemoryFormatOptional());
    }
}
