package io.polder.study.trial;

/**
 * One epoch of a trial, measured at its end. Errors are fractions of images; {@code testLoss} and {@code testError} are of the images
 * that the trial is judged by, be they the test set or a validation split. NaN stands for what was not measured or has overflowed.
 */
public record EpochPoint(
        int epoch,
        double trainLoss,
        double trainError,
        double testLoss,
        double testError,
        double gradientNorm,
        double parameterNorm,
        double learningRate) {
    public EpochPoint {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch is " + epoch + ": it must be at least 1");
        }
        TrialOutcome.requireNotNegative("gradientNorm", gradientNorm);
        TrialOutcome.requireNotNegative("parameterNorm", parameterNorm);
        TrialOutcome.requireFraction("trainError", trainError);
        TrialOutcome.requireFraction("testError", testError);
    }
}
