package io.polder.data;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * What is trained on and what is evaluated on.
 *
 * @param validationImages how many training images are held back to evaluate on; 0 when that is the test set
 * @param trainingImages how many of the others are trained on, each class in proportion; all where it is empty
 */
public record SplitChoice(EvaluateOn evaluateOn, int validationImages, OptionalInt trainingImages) {
    public enum EvaluateOn {
        TEST,
        VALIDATION
    }

    public SplitChoice {
        Objects.requireNonNull(evaluateOn, "evaluateOn");
        if (evaluateOn == EvaluateOn.VALIDATION && validationImages < 1) {
            throw new IllegalArgumentException("validationImages is " + validationImages + ": it must be at least 1");
        }
        if (evaluateOn == EvaluateOn.TEST && validationImages != 0) {
            throw new IllegalArgumentException("validationImages is " + validationImages
                    + ": it must be 0 when the test set is evaluated on, or evaluateOn must be VALIDATION");
        }
        if (trainingImages.isPresent() && trainingImages.getAsInt() < 1) {
            throw new IllegalArgumentException(
                    "trainingImages is " + trainingImages.getAsInt() + ": it must be at least 1");
        }
    }

    public static SplitChoice test() {
        return new SplitChoice(EvaluateOn.TEST, 0, OptionalInt.empty());
    }

    public static SplitChoice validation(int images) {
        return new SplitChoice(EvaluateOn.VALIDATION, images, OptionalInt.empty());
    }

    public SplitChoice withTrainingImages(int images) {
        return new SplitChoice(evaluateOn, validationImages, OptionalInt.of(images));
    }
}
