package io.polder.run;

import io.polder.data.ImageShape;
import io.polder.train.Evaluation;
import io.polder.train.Predictions;
import java.util.List;
import java.util.Optional;

/**
 * How a network does on images, and where it errs.
 *
 * @param predictions of each image; empty where images have no single class
 * @param wrong those of which the network was surest and wrong, the surest first
 * @param shape of their pixels
 */
public record Examination(
        Evaluation evaluation, Optional<Predictions> predictions, List<Wrong> wrong, ImageShape shape) {
    public Examination {
        wrong = List.copyOf(wrong);
    }

    /**
     * An image that was taken for another class.
     *
     * @param name of its file, where it has one
     * @param probability of the guess
     * @param pixels as the network saw them
     */
    public record Wrong(String name, String className, String guess, double probability, byte[] pixels) {}
}
