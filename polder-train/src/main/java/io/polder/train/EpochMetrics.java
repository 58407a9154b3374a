package io.polder.train;

import java.util.Map;
import java.util.Optional;

/**
 * What one epoch came to. Training figures are means over its examples, each seen before the step it took part in.
 *
 * @param epoch counts from 1: so many epochs are done
 * @param figures of the task, by name
 * @param gradientNorm the mean of ‖g1‖ over the steps
 * @param parameterNorm ‖θ‖ at the end
 * @param learningRate of the last step
 * @param imagesPerSecond examples, whatever they are, of this epoch, or of its part since a resume, as is {@code seconds}
 * @param seconds of training, without evaluation
 * @param probes what was measured of the network at the end, by name; empty where nothing was
 * @param test on the examples that were not trained on, at the end; empty where the plan evaluates less often
 */
public record EpochMetrics(
        int epoch,
        long steps,
        double loss,
        Map<String, Double> figures,
        double gradientNorm,
        double parameterNorm,
        double learningRate,
        double imagesPerSecond,
        double seconds,
        Map<String, Double> probes,
        Optional<Evaluation> test) {
    /** Without probes. */
    public EpochMetrics(
            int epoch,
            long steps,
            double loss,
            Map<String, Double> figures,
            double gradientNorm,
            double parameterNorm,
            double learningRate,
            double imagesPerSecond,
            double seconds,
            Optional<Evaluation> test) {
        this(
                epoch,
                steps,
                loss,
                figures,
                gradientNorm,
                parameterNorm,
                learningRate,
                imagesPerSecond,
                seconds,
                Map.of(),
                test);
    }

    /** The same epoch, with what was measured of its network. */
    public EpochMetrics with(Map<String, Double> probes) {
        return new EpochMetrics(
                epoch,
                steps,
                loss,
                figures,
                gradientNorm,
                parameterNorm,
                learningRate,
                imagesPerSecond,
                seconds,
                probes,
                test);
    }

    /** @param progress at the end of the epoch, before it is counted */
    static EpochMetrics of(Progress progress, Stopwatch clock, Optional<Evaluation> test) {
        EpochSums sums = progress.sums();
        return new EpochMetrics(
                progress.epoch() + 1,
                sums.steps(),
                sums.loss() / sums.images(),
                sums.means(),
                sums.norms() / sums.steps(),
                sums.parameterNorm(),
                sums.learningRate(),
                clock.imagesPerSecond(),
                clock.seconds(),
                test);
    }

    /** Of the training; NaN where there is none of that name. */
    public double figure(String name) {
        return figures.getOrDefault(name, Double.NaN);
    }
}
