package io.polder.optim;

import io.polder.tensor.FlatParameters;

/**
 * Moves θ with the gradient that is in the parameters' buffer. Its state is allocated at the first step and freed by {@code
 * close}; one optimizer serves one network.
 */
public interface Optimizer extends AutoCloseable {
    void step(FlatParameters parameters, double learningRate);

    @Override
    void close();
}
