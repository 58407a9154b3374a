package io.polder.optim;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * Moves θ with the gradient that is in the parameters' buffer. Its memory is allocated at the first need and freed by {@code
 * close}; one optimizer serves one network.
 */
public interface Optimizer extends AutoCloseable {
    void step(FlatParameters parameters, double learningRate);

    /**
     * What it remembers between steps, by name: the vectors themselves, for a checkpoint to save and a resume to overwrite.
     * They are this optimizer's to close.
     */
    Map<String, FlatVector> memory(FlatParameters parameters);

    /** Tells it, when its memory was overwritten, how many steps made that memory. */
    default void resumeAfter(long steps) {}

    @Override
    void close();
}
