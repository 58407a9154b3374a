package io.polder.train;

import java.util.Optional;

/**
 * What one epoch came to. Training figures are means over its images, each seen before the step it took part in.
 *
 * @param epoch counts from 1: so many epochs are done
 * @param gradientNorm the mean of ‖g1‖ over the steps
 * @param parameterNorm ‖θ‖ at the end
 * @param learningRate of the last step
 * @param seconds of training, without evaluation
 * @param test on the images that were not trained on, at the end; empty where the plan evaluates less often
 */
public record EpochMetrics(
        int epoch,
        long steps,
        double loss,
        double error,
        double gradientNorm,
        double parameterNorm,
        double learningRate,
        double imagesPerSecond,
        double seconds,
        Optional<Evaluation> test) {}
