package io.polder.nn;

import org.bytedeco.pytorch.Generator;

/**
 * How a network is to be run: for inference, or for one of the passes of a training step with the draws of that step.
 *
 * @param training false for inference: running statistics, no dropout, {@code pass} and {@code generator} unused
 * @param pass which pass of the step this is
 * @param generator the only source of random draws in the pass; both passes of a step get one that starts from the same state
 */
public record Forward(boolean training, Pass pass, Generator generator) {
    public static final Forward INFERENCE = new Forward(false, Pass.REFERENCE, null);

    public static Forward training(Pass pass, Generator generator) {
        return new Forward(true, pass, generator);
    }
}
