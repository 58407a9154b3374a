package io.polder.run;

import io.polder.train.EpochMetrics;
import io.polder.train.Progress;

/**
 * What a run came to so far. Errors are shares of the evaluated images; null before the first evaluation.
 *
 * @param epochs that are done
 * @param loss mean cross-entropy on the evaluated images, at the last evaluation
 * @param trainLoss of the last epoch, as are {@code trainError} and the norms
 * @param gradientNorm the mean of ‖g1‖ over the epoch
 * @param seconds of training, over all sessions
 * @param restarts how often the run diverged and went back
 */
public record RunResult(
        int epochs,
        long steps,
        Double error,
        Double top5Error,
        Double loss,
        Double bestError,
        Integer bestEpoch,
        double trainLoss,
        double trainError,
        double gradientNorm,
        double parameterNorm,
        double imagesPerSecond,
        double seconds,
        int restarts) {
    static RunResult after(EpochMetrics epoch, Progress progress, RunResult before) {
        var test = epoch.test();
        return new RunResult(
                epoch.epoch(),
                progress.step(),
                test.map(e -> e.error()).orElse(before == null ? null : before.error()),
                test.map(e -> e.top5Error()).orElse(before == null ? null : before.top5Error()),
                test.map(e -> e.loss()).orElse(before == null ? null : before.loss()),
                progress.best() == null ? null : progress.best().error(),
                progress.best() == null ? null : progress.best().epoch(),
                epoch.loss(),
                epoch.error(),
                epoch.gradientNorm(),
                epoch.parameterNorm(),
                epoch.imagesPerSecond(),
                epoch.seconds() + (before == null ? 0 : before.seconds()),
                progress.restarts());
    }
}
