package io.polder.data;

import io.polder.data.augment.Augmentation;
import java.util.Objects;

/**
 * What a training needs of a data set.
 *
 * @param train through the pipeline's training framing
 * @param augmentation for the loader of {@code train}
 * @param evaluation the test or validation images, through the pipeline's evaluation framing
 * @param normalization of the training images, for both
 */
public record Splits(
        ImageSource train, Augmentation augmentation, ImageSource evaluation, Normalization normalization) {
    public Splits {
        Objects.requireNonNull(train, "train");
        Objects.requireNonNull(augmentation, "augmentation");
        Objects.requireNonNull(evaluation, "evaluation");
        Objects.requireNonNull(normalization, "normalization");
    }
}
