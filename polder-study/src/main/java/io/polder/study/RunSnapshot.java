package io.polder.study;

import io.polder.metrics.MetricsHistory;
import io.polder.metrics.RunRecord;
import io.polder.train.EpochMetrics;
import io.polder.train.StepMetrics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A run as it stands: what it is, and its course so far.
 *
 * @param name how it is called among others
 */
public record RunSnapshot(String name, RunFacts facts, MetricsHistory history) {
    private static final int RECENT = 5;

    /** By the name that the run has given itself, or else by that of its directory. */
    static RunSnapshot of(Path directory, RunFacts facts, MetricsHistory history) {
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

    /** The epoch of the lowest test error, the first where there are several. */
    Optional<EpochMetrics> bestTested() {
        return tested().stream()
                .filter(epoch -> Double.isFinite(epoch.test().orElseThrow().figure("error")))
                .min(Comparator.comparingDouble(
                        epoch -> epoch.test().orElseThrow().figure("error")));
    }

    private List<EpochMetrics> tested() {
        return history.epochs().stream()
                .map(RunRecord.Epoch::metrics)
                .filter(epoch -> epoch.test().isPresent())
                .toList();
    }

    static double error(Optional<EpochMetrics> epoch) {
        return epoch.flatMap(EpochMetrics::test)
                .map(test -> test.figure("error"))
                .orElse(Double.NaN);
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
        if (history.steps().isEmpty()) {
            return "";
        }
        Optional<StepMetrics> perturbed = history.steps().stream()
                .map(RunRecord.Step::metrics)
                .filter(step -> step.figure("r") > 0)
                .reduce((earlier, later) -> later);
        if (perturbed.isEmpty()) {
            return "Standard training";
        }
        double alpha = perturbed.get().figure("alpha");
        String r = "r = " + NumberText.significantAtMost(perturbed.get().figure("r"));
        return alpha == 1
                ? "SAM, " + r
                : "Gradient-norm penalty, " + r + ", α = " + NumberText.significantAtMost(alpha);
    }

    private static <T> Optional<T> last(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(list.size() - 1));
    }
}
