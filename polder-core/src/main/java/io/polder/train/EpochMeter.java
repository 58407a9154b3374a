package io.polder.train;

import io.polder.penalty.StepGradient;
import java.util.Optional;

/** Measures the steps of one epoch and adds them up. */
final class EpochMeter {
    private final int epoch;
    private final long started = System.nanoTime();
    private long stepStarted = started;
    private long steps;
    private long images;
    private double loss;
    private double wrong;
    private double norms;
    private double parameterNorm;
    private double learningRate;

    EpochMeter(int epoch) {
        this.epoch = epoch;
    }

    StepMetrics step(
            long step, int size, StepGradient gradient, double error, double parameterNorm, double learningRate) {
        long now = System.nanoTime();
        double seconds = Math.max(1, now - stepStarted) * 1e-9;
        stepStarted = now;
        steps++;
        images += size;
        loss += gradient.loss() * size;
        wrong += error * size;
        norms += gradient.referenceNorm();
        this.parameterNorm = parameterNorm;
        this.learningRate = learningRate;
        return new StepMetrics(
                step,
                epoch,
                gradient.loss(),
                error,
                gradient.referenceNorm(),
                gradient.norm(),
                parameterNorm,
                gradient.r(),
                gradient.alpha(),
                learningRate,
                size / seconds);
    }

    /** The time of the epoch is that up to its last step: evaluation is not training. */
    EpochMetrics epoch(Optional<Evaluation> test) {
        double seconds = Math.max(1, stepStarted - started) * 1e-9;
        return new EpochMetrics(
                epoch + 1,
                steps,
                loss / images,
                wrong / images,
                norms / steps,
                parameterNorm,
                learningRate,
                images / seconds,
                seconds,
                test);
    }
}
