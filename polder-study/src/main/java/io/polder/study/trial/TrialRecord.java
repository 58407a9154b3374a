package io.polder.study.trial;

import io.polder.metrics.MetricsHistory;
import io.polder.metrics.RunRecord;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes an outcome of what a trial left in its directory. */
final class TrialRecord {
    private static final String METRICS = "metrics.jsonl";
    private static final int LONGEST_REASON = 500;

    private TrialRecord() {}

    /** @param reason empty if it is done */
    static TrialOutcome outcome(
            Recipe recipe, Path directory, TrialOutcome.Status status, String reason, String machine)
            throws IOException {
        List<EpochPoint> curve = new ArrayList<>();
        EpochMetrics last = null;
        Evaluation evaluation = null;
        double best = Double.NaN;
        double seconds = 0;
        double images = 0;
        for (RunRecord.Epoch record :
                MetricsHistory.read(directory.resolve(METRICS)).epochs()) {
            EpochMetrics epoch = record.metrics();
            if (last != null && epoch.epoch() <= last.epoch()) {
                // The run diverged and went back: what it had recorded since is no part of its course.
                int from = epoch.epoch();
                curve.removeIf(point -> point.epoch() >= from);
            }
            curve.add(point(epoch));
            seconds += epoch.seconds();
            images += epoch.imagesPerSecond() * epoch.seconds();
            if (epoch.test().isPresent()) {
                evaluation = epoch.test().get();
                best = Double.isNaN(best) ? evaluation.error() : Math.min(best, evaluation.error());
            }
            last = epoch;
        }
        List<Instant> attempts = Attempts.of(directory);
        return new TrialOutcome(
                directory.getFileName().toString(),
                recipe.toYaml(),
                recipe.name(),
                method(recipe.scheme()),
                recipe.seed(),
                status,
                shortened(reason),
                recipe.data().evaluateOn() == EvaluateOn.TEST ? TrialOutcome.TEST : TrialOutcome.VALIDATION,
                last == null ? 0 : last.epoch(),
                evaluation == null ? Double.NaN : evaluation.error(),
                best,
                evaluation == null ? Double.NaN : evaluation.loss(),
                evaluation == null ? Double.NaN : evaluation.top5Error(),
                last == null ? Double.NaN : last.gradientNorm(),
                last == null ? Double.NaN : last.parameterNorm(),
                finiteOrZero(seconds),
                images / seconds,
                Math.max(1, attempts.size()),
                attempts.isEmpty() ? Instant.now() : attempts.get(0),
                machine,
                curve);
    }

    private static EpochPoint point(EpochMetrics epoch) {
        return new EpochPoint(
                epoch.epoch(),
                epoch.loss(),
                epoch.error(),
                epoch.test().map(Evaluation::loss).orElse(Double.NaN),
                epoch.test().map(Evaluation::error).orElse(Double.NaN),
                epoch.gradientNorm(),
                epoch.parameterNorm(),
                epoch.learningRate());
    }

    private static String method(SchemeRecipe scheme) {
        if (scheme instanceof SchemeRecipe.Standard) {
            return "standard";
        }
        return scheme instanceof SchemeRecipe.Sam ? "sam" : "gradient-norm-penalty";
    }

    private static String shortened(String reason) {
        String line = reason.lines().findFirst().orElse("");
        return line.substring(0, Math.min(LONGEST_REASON, line.length()));
    }

    private static double finiteOrZero(double seconds) {
        return Double.isFinite(seconds) && seconds > 0 ? seconds : 0;
    }
}
