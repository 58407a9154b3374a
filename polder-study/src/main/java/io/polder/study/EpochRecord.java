package io.polder.study;

/**
 * One epoch of one trial, measured at its end. Errors are fractions of images, 0 to 1; {@code gradientNorm} is the mean,
 * over the epoch's steps, of the norm of the batch gradient at the weights themselves (never at the climbed point), so
 * that methods can be compared by it. NaN stands for what was not measured or has overflowed.
 */
public record EpochRecord(
        int epoch,
        double trainLoss,
        double trainError,
        double testLoss,
        double testError,
        double gradientNorm,
        double parameterNorm,
        double learningRate,
        double imagesPerSecond) {

    public EpochRecord {
        if (epoch < 0) {
            throw new IllegalArgumentException("epoch is " + epoch + ": it must be at least 0");
        }
        requireFraction("trainError", trainError);
        requireFraction("testError", testError);
    }

    private static void requireFraction(String name, double value) {
        if (value < 0 || value > 1) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a fraction from 0 to 1");
        }
    }
}
