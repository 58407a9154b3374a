package io.polder.train;

import java.util.Map;

/**
 * What one step looked like.
 *
 * @param step counts from 0 over the whole run
 * @param loss of the batch at θ, before the step
 * @param referenceNorm ‖g1‖
 * @param norm ‖g‖, before clipping
 * @param parameterNorm ‖θ‖, after the step
 * @param figures by name: those of the task before the step, such as {@code error}, and those of the scheme, such as {@code r}
 * @param imagesPerSecond examples, whatever they are, over this step, waiting for data included
 */
public record StepMetrics(
        long step,
        int epoch,
        double loss,
        double referenceNorm,
        double norm,
        double parameterNorm,
        double learningRate,
        Map<String, Double> figures,
        double imagesPerSecond) {
    /** NaN where there is none of that name. */
    public double figure(String name) {
        return figures.getOrDefault(name, Double.NaN);
    }
}
