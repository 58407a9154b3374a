package io.polder.data;

import java.util.OptionalInt;

/**
 * What is trained on and what is evaluated on.
 *
 * @param validationImages how many training images are held back to evaluate on; 0 when that is the test set
 * @param trainingImages how many of the others are trained on, each class in proportion; all where it is empty
 */
public record SplitChoice(int validationImages, OptionalInt trainingImages) {
    public SplitChoice {
        if (validationImages < 0) {
            throw new IllegalArgumentException("validationImages is " + validationImages + ": it must be at least 0");
        }
        if (trainingImages.isPresent() && trainingImages.getAsInt() < 1) {
            throw new IllegalArgumentException(
                    "trainingImages is " + trainingImages.getAsInt() + ": it must be at least 1");
        }
    }

    public static SplitChoice test() {
        return new SplitChoice(0, OptionalInt.empty());
    }

    public static SplitChoice validation(int images) {
        if (images < 1) {
            throw new IllegalArgumentException("validationImages is " + images + ": it must be at least 1");
        }
        return new SplitChoice(images, OptionalInt.empty());
    }

    public SplitChoice withTrainingImages(int images) {
        return new SplitChoice(validationImages, OptionalInt.of(images));
    }
}
