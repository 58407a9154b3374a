package io.polder.train;

import io.polder.data.Loader;
import io.polder.data.Normalization;

/**
 * What is learnt from and what is judged by. Both loaders stay the caller's to close.
 *
 * @param normalization of the training images, applied to both
 */
public record TrainingData(Loader train, Loader test, Normalization normalization) {}
