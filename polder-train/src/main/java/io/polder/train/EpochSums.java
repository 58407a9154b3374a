package io.polder.train;

import io.polder.penalty.StepGradient;

/** What the steps of one epoch add up to, so far. */
record EpochSums(
        long steps, long images, double loss, double wrong, double norms, double parameterNorm, double learningRate) {
    static final EpochSums NONE = new EpochSums(0, 0, 0, 0, 0, 0, 0);

    /** @param error share of the batch that was wrong */
    EpochSums plus(int size, StepGradient gradient, double error, double parameterNorm, double learningRate) {
        return new EpochSums(
                steps + 1,
                images + size,
                loss + gradient.loss() * size,
                wrong + error * size,
                norms + gradient.referenceNorm(),
                parameterNorm,
                learningRate);
    }
}
