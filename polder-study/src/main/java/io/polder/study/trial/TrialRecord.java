package io.polder.study.trial;

import io.polder.metrics.MetricsHistory;
import io.polder.metrics.MetricsTail;
import io.polder.metrics.RunRecord;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.run.DamagedRunException;
import io.polder.study.LenientRunInfo;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.Figure;
import io.polder.train.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes an outcome of what a trial left in its directory. */
final class TrialRecord {
    private static final String METRICS = "metrics.jsonl";
    private static final int LONGEST_REASON = 500;

    private TrialRecord() {}

    /** @throws DamagedRunException if the records do not have all of so many epochs */
    static void requireEpochs(Path directory, int epochs) throws IOException {
        Path file = directory.resolve(METRICS);
        var tail = new MetricsTail(file);
        var recorded = new BitSet();
        MetricsTail.Update update;
        do {
            update = tail.poll();
            for (RunRecord record : update.records()) {
                if (record instanceof RunRecord.Epoch epoch && epoch.metrics().epoch() <= epochs) {
                    recorded.set(epoch.metrics().epoch());
                }
            }
        } while (update.more());
        int missing = epochs - recorded.cardinality();
        if (missing > 0) {
            throw damaged(file + " lacks " + missing + " of the " + epochs + " epochs that were done", null);
        }
    }

    private static DamagedRunException damaged(String fact, Throwable cause) {
        return new DamagedRunException(fact, "the trial must be trained anew", cause);
    }

    /**
     * What has ended well, or diverged.
     *
     * @param reason empty if it is done
     * @param complaints takes a sentence for what cannot be read and does not matter
     * @throws DamagedRunException if the records are not those of a trial
     */
    static TrialOutcome outcome(
            Recipe recipe,
            Path directory,
            TrialOutcome.Status status,
            String reason,
            String machine,
            Consumer<String> complaints)
            throws IOException {
        Path file = directory.resolve(METRICS);
        List<RunRecord.Epoch> epochs = MetricsHistory.read(file).epochs();
        if (status == TrialOutcome.Status.DONE
                && (epochs.isEmpty()
                        || epochs.get(epochs.size() - 1).metrics().test().isEmpty())) {
            throw damaged(file + " lacks the evaluation of the last epoch", null);
        }
        try {
            Figures figures = LenientRunInfo.read(directory).figures();
            List<Instant> attempts = Attempts.of(directory, complaints);
            return outcome(directory, recipe, figures, epochs, status, reason, machine, attempts);
        } catch (IllegalArgumentException e) {
            throw damaged(file + " has what no trial comes to (" + e.getMessage() + ")", e);
        }
    }

    /** What has failed, with as much of its records as can be read. */
    static TrialOutcome failure(
            Recipe recipe, Path directory, String reason, String machine, Consumer<String> complaints) {
        Path file = directory.resolve(METRICS);
        List<Instant> attempts = Attempts.of(directory, complaints);
        try {
            List<RunRecord.Epoch> epochs =
                    Files.isRegularFile(file) ? MetricsHistory.read(file).epochs() : List.of();
            Figures figures = LenientRunInfo.read(directory).figures();
            return outcome(directory, recipe, figures, epochs, TrialOutcome.Status.FAILED, reason, machine, attempts);
        } catch (IOException | IllegalArgumentException e) {
            complaints.accept(
                    file + " cannot be read (" + e.getMessage() + "): the curve of a trial that failed is not shown");
            Figures figures = Figures.ofFile(null);
            return outcome(
                    directory, recipe, figures, List.of(), TrialOutcome.Status.FAILED, reason, machine, attempts);
        }
    }

    private static TrialOutcome outcome(
            Path directory,
            Recipe recipe,
            Figures figures,
            List<RunRecord.Epoch> epochs,
            TrialOutcome.Status status,
            String reason,
            String machine,
            List<Instant> attempts) {
        List<EpochPoint> curve = new ArrayList<>();
        EpochMetrics last = null;
        Evaluation evaluation = new Evaluation(Map.of(), 0);
        Figure judge = figures.judge();
        double best = Double.NaN;
        double seconds = 0;
        double images = 0;
        for (RunRecord.Epoch record : epochs) {
            EpochMetrics epoch = record.metrics();
            if (last != null && epoch.epoch() <= last.epoch()) {
                // The run diverged and went back: what it had recorded since is no part of its course.
                int from = epoch.epoch();
                curve.removeIf(point -> point.epoch() >= from);
            }
            curve.add(point(epoch, figures));
            seconds += epoch.seconds();
            images += epoch.imagesPerSecond() * epoch.seconds();
            if (epoch.test().isPresent()) {
                evaluation = epoch.test().get();
                best = judge.isBetter(evaluation.figure(judge), best) ? evaluation.figure(judge) : best;
            }
            last = epoch;
        }
        return new TrialOutcome(
                directory.getFileName().toString(),
                recipe.toYaml(),
                recipe.name(),
                recipe.scheme().called(),
                recipe.seed(),
                status,
                shortened(reason),
                recipe.data().evaluateOn() == EvaluateOn.TEST ? TrialOutcome.TEST : TrialOutcome.VALIDATION,
                last == null ? 0 : last.epoch(),
                figures.inFile(),
                TrialOutcome.numbers(figures, evaluation::figure, best),
                last == null ? Double.NaN : last.gradientNorm(),
                last == null ? Double.NaN : last.parameterNorm(),
                finiteOrZero(seconds),
                images / seconds,
                Math.max(1, attempts.size()),
                attempts.isEmpty() ? Instant.now() : attempts.get(0),
                machine,
                curve);
    }

    private static EpochPoint point(EpochMetrics epoch, Figures figures) {
        Map<String, Double> training = new HashMap<>();
        figures.training().forEach(figure -> training.put(figure.name(), epoch.figure(figure.name())));
        Evaluation test = epoch.test().orElse(new Evaluation(Map.of(), 0));
        return new EpochPoint(
                epoch.epoch(),
                epoch.loss(),
                training,
                test.figure(Figure.loss()),
                Map.of(figures.judge().name(), test.figure(figures.judge())),
                epoch.gradientNorm(),
                epoch.parameterNorm(),
                epoch.learningRate());
    }

    private static String shortened(String reason) {
        String line = reason.lines().findFirst().orElse("");
        return line.substring(0, Math.min(LONGEST_REASON, line.length()));
    }

    private static double finiteOrZero(double seconds) {
        return Double.isFinite(seconds) && seconds > 0 ? seconds : 0;
    }
}
