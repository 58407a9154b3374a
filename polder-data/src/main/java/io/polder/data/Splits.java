package io.polder.data;

import io.polder.tensor.RandomStreams;
import java.util.Objects;

/**
 * What a training needs of a data set.
 *
 * @param train through the training framing
 * @param evaluation the test or validation images, through the evaluation framing
 * @param normalization of the training images, for both
 */
public record Splits(ImageSource train, ImageSource evaluation, Normalization normalization) {
    public Splits {
        Objects.requireNonNull(train, "train");
        Objects.requireNonNull(evaluation, "evaluation");
        Objects.requireNonNull(normalization, "normalization");
    }

    /**
     * At most so many of the images to evaluate on, each class in proportion: which ones is a function of the seed.
     *
     * @param images at least 1
     */
    public ImageSource evaluationSample(int images, RandomStreams streams) {
        return Validation.sample(evaluation, images, streams);
    }
}
