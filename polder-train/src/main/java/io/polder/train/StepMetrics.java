package io.polder.train;

/**
 * What one step looked like.
 *
 * @param step counts from 0 over the whole run
 * @param loss cross-entropy of the batch at θ, before the step
 * @param error share of the batch that was wrong, before the step
 * @param referenceNorm ‖g1‖
 * @param norm ‖g‖, before clipping
 * @param parameterNorm ‖θ‖, after the step
 * @param r 0 when nothing was perturbed
 * @param alpha 0 when nothing was perturbed
 * @param imagesPerSecond over this step, waiting for data included
 */
public record StepMetrics(
        long step,
        int epoch,
        double loss,
        double error,
        double referenceNorm,
        double norm,
        double parameterNorm,
        double r,
        double alpha,
        double learningRate,
        double imagesPerSecond) {}
