package io.polder.train;

import io.polder.data.Normalization;
import io.polder.data.load.Loader;

/**
 * What is learnt from and what is judged by. What is behind them stays the caller's to close.
 *
 * @param sample of {@code test}, by which the run is judged on its way; {@code test} itself where that is always whole
 */
public record TrainingData(Batches train, Batches test, Batches sample) {
    public TrainingData(Batches train, Batches test) {
        this(train, test, test);
    }

    /** Judged by a part on its way, and by all of it at the end. */
    public TrainingData sampling(Batches sample) {
        return new TrainingData(train, test, sample);
    }

    /** @param normalization of the training images, applied to both */
    public static TrainingData ofImages(Loader train, Loader test, Normalization normalization) {
        return new TrainingData(new ImageBatches(train, normalization), new ImageBatches(test, normalization));
    }
}
