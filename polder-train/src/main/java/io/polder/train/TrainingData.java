package io.polder.train;

import io.polder.data.Normalization;
import io.polder.data.load.Loader;

/** What is learnt from and what is judged by. What is behind them stays the caller's to close. */
public record TrainingData(Batches train, Batches test) {
    /** @param normalization of the training images, applied to both */
    public static TrainingData ofImages(Loader train, Loader test, Normalization normalization) {
        return new TrainingData(new ImageBatches(train, normalization), new ImageBatches(test, normalization));
    }
}
