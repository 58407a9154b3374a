package io.polder.run;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.polder.train.EpochMetrics;
import io.polder.train.Figure;
import io.polder.train.Progress;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run came to so far.
 *
 * @param epochs that are done
 * @param bestEpoch when the figure that judges was at its best; null before the first evaluation
 * @param trainLoss of the last epoch, as are the norms
 * @param gradientNorm the mean of ‖g1‖ over the epoch
 * @param seconds of training, over all sessions
 * @param restarts how often the run diverged and went back
 * @param figures of the task: those of the last evaluation by their names, such as {@code error}; that which judges at its best, {@code
 *     bestError}; and those of the last epoch's training, {@code trainError}. In the file they stand beside the others.
 */
public record RunResult(
        int epochs,
        long steps,
        Integer bestEpoch,
        double trainLoss,
        double gradientNorm,
        double parameterNorm,
        double imagesPerSecond,
        double seconds,
        int restarts,
        @JsonAnyGetter @JsonAnySetter Map<String, Double> figures) {
    static RunResult after(EpochMetrics epoch, Progress progress, Figure judge, RunResult before) {
        Map<String, Double> figures = new TreeMap<>(before == null ? Map.of() : before.figures());
        epoch.test().ifPresent(test -> figures.putAll(test.figures()));
        epoch.figures().forEach((name, value) -> figures.put(Figure.joined("train", name), value));
        if (progress.best() != null) {
            figures.put(Figure.joined("best", judge.name()), progress.best().value());
        }
        return new RunResult(
                epoch.epoch(),
                progress.step(),
                progress.best() == null ? null : progress.best().epoch(),
                epoch.loss(),
                epoch.gradientNorm(),
                epoch.parameterNorm(),
                epoch.imagesPerSecond(),
                epoch.seconds() + (before == null ? 0 : before.seconds()),
                progress.restarts(),
                figures);
    }

    /** At the last evaluation; NaN before the first. */
    public double evaluated(Figure figure) {
        return figure(figure.name());
    }

    /** The best of all evaluations; NaN before the first. */
    public double best(Figure judge) {
        return figure(Figure.joined("best", judge.name()));
    }

    private double figure(String name) {
        Double value = figures.get(name);
        return value == null ? Double.NaN : value;
    }
}
