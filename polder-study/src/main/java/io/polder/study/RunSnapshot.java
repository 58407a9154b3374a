package io.polder.study;

import io.polder.metrics.MetricsHistory;
import io.polder.metrics.RunRecord;
import io.polder.penalty.StepGradient;
import io.polder.train.EpochMetrics;
import io.polder.train.Figure;
import io.polder.train.StepMetrics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * A run as it stands: what it is, and its course so far.
 *
 * @param name how it is called among others
 */
public record RunSnapshot(String name, LenientRunInfo facts, MetricsHistory history) {
    private static final int RECENT = 5;

    /** By the name that the run has given itself, or else by that of its directory. */
    static RunSnapshot of(Path directory, LenientRunInfo facts, MetricsHistory history) {
        String name = facts.get("name");
        return new RunSnapshot(
                name.isEmpty()
                        ? directory.toAbsolutePath().normalize().getFileName().toString()
                        : name,
                facts,
                history);
    }

    RunState state(Instant now) {
        return RunState.of(facts, history, now);
    }

    /** The last epoch that was evaluated. */
    Optional<EpochMetrics> lastTested() {
        return tested().stream().reduce((earlier, later) -> later);
    }

    /** The epoch at which the figure that judges was at its best, the first where there are several. */
    Optional<EpochMetrics> bestTested() {
        return tested().stream()
                .filter(epoch -> Double.isFinite(judged(Optional.of(epoch))))
                .reduce((best, each) ->
                        judge().isBetter(judged(Optional.of(each)), judged(Optional.of(best))) ? each : best);
    }

    private List<EpochMetrics> tested() {
        return history.epochs().stream()
                .map(RunRecord.Epoch::metrics)
                .filter(epoch -> epoch.test().isPresent())
                .toList();
    }

    Figure judge() {
        return facts.figures().judge();
    }

    /** The figure that judges; NaN where it was not measured. */
    double judged(Optional<EpochMetrics> epoch) {
        return epoch.flatMap(EpochMetrics::test)
                .map(test -> test.figure(judge()))
                .orElse(Double.NaN);
    }

    /** The names of what its steps tell besides the figures of the task: those of the scheme. */
    Set<String> schemeFigures() {
        Set<String> names = new TreeSet<>();
        history.steps().forEach(step -> names.addAll(step.metrics().figures().keySet()));
        facts.figures().training().forEach(figure -> names.remove(figure.name()));
        return names;
    }

    /** The names of what was measured at the end of epochs. */
    Set<String> probes() {
        Set<String> names = new TreeSet<>();
        history.epochs().forEach(epoch -> names.addAll(epoch.metrics().probes().keySet()));
        return names;
    }

    Optional<EpochMetrics> lastEpoch() {
        return last(history.epochs()).map(RunRecord.Epoch::metrics);
    }

    Optional<StepMetrics> lastStep() {
        return last(history.steps()).map(RunRecord.Step::metrics);
    }

    int epochsDone() {
        return lastEpoch().map(EpochMetrics::epoch).orElse(0);
    }

    OptionalLong epochsPlanned() {
        return facts.number("epochs");
    }

    /** Of the last epoch; of the last step where no epoch is done. */
    double imagesPerSecond() {
        return lastEpoch()
                .map(EpochMetrics::imagesPerSecond)
                .or(() -> lastStep().map(StepMetrics::imagesPerSecond))
                .orElse(Double.NaN);
    }

    /** Of training alone, over all epochs that are done. */
    double trainingSeconds() {
        return history.epochs().stream()
                .mapToDouble(epoch -> epoch.metrics().seconds())
                .filter(Double::isFinite)
                .sum();
    }

    /** 0 where it is neither said nor can be found out. */
    double stepsPerEpoch() {
        OptionalLong said = facts.number("stepsPerEpoch");
        if (said.isPresent() && said.getAsLong() > 0) {
            return said.getAsLong();
        }
        return last(history.epochs())
                .map(epoch -> (double) epoch.step() / epoch.metrics().epoch())
                .orElse(0.0);
    }

    /** From the time that the last epochs took, evaluation and checkpoints included. */
    OptionalDouble secondsLeft() {
        var epochs = history.epochs();
        if (epochs.size() < 2 || epochsPlanned().isEmpty()) {
            return OptionalDouble.empty();
        }
        var recent = epochs.subList(Math.max(0, epochs.size() - RECENT - 1), epochs.size());
        double[] seconds = new double[recent.size() - 1];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = recent.get(i + 1).time() - recent.get(i).time();
        }
        Arrays.sort(seconds);
        return OptionalDouble.of(
                seconds[seconds.length / 2] * Math.max(0, epochsPlanned().getAsLong() - epochsDone()));
    }

    /** As the steps show it: the last that was perturbed says with which r and α. */
    String method() {
        if (history.steps().stream().noneMatch(step -> step.metrics().figures().containsKey(StepGradient.R))) {
            return ""; // nothing yet, or a scheme of another kind
        }
        Optional<StepMetrics> perturbed = history.steps().stream()
                .map(RunRecord.Step::metrics)
                .filter(step -> step.figure(StepGradient.R) > 0)
                .reduce((earlier, later) -> later);
        if (perturbed.isEmpty()) {
            return "Standard training";
        }
        double alpha = perturbed.get().figure(StepGradient.ALPHA);
        String r = "r = " + NumberText.significantAtMost(perturbed.get().figure(StepGradient.R));
        return alpha == 1
                ? "SAM, " + r
                : "Gradient-norm penalty, " + r + ", α = " + NumberText.significantAtMost(alpha);
    }

    private static <T> Optional<T> last(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(list.size() - 1));
    }
}
