package io.polder.study;

import io.polder.files.WholeFile;
import io.polder.metrics.MetricsLog;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Writes a run directory as training does, with made-up curves of a plausible shape, other ones for each name. Closing ends the writing. */
public final class SampleRun implements AutoCloseable {
    public static final int STEPS_PER_EPOCH = 40;
    public static final int EPOCHS = 30;

    private final Path directory;
    private final MetricsLog log;
    private final SplittableRandom random;
    private final double ease;
    private int step;

    private SampleRun(Path directory, MetricsLog log, int step) {
        this.directory = directory;
        this.log = log;
        this.step = step;
        random = new SplittableRandom(directory.getFileName().toString().hashCode());
        ease = 4 + 4 * random.nextDouble();
    }

    public static SampleRun begin(Path directory) throws IOException {
        Files.createDirectories(directory);
        var run =
                new SampleRun(directory, MetricsLog.create(directory.resolve("metrics.jsonl"), 2, SampleRun::fail), 0);
        run.status("running");
        return run;
    }

    public static SampleRun resume(Path directory, int step) throws IOException {
        var log =
                MetricsLog.resume(directory.resolve("metrics.jsonl"), 2, step, step / STEPS_PER_EPOCH, SampleRun::fail);
        log.event("resumed", "from step " + step + " after <a kill>");
        return new SampleRun(directory, log, step);
    }

    /** So many more steps, with the epochs that end among them; tests come every other epoch. */
    public SampleRun steps(int count) {
        for (int i = 0; i < count; i++, step++) {
            double progress = (double) step / (EPOCHS * STEPS_PER_EPOCH);
            double error = 0.8 * Math.exp(-ease * progress) + 0.05 + 0.03 * random.nextDouble();
            double norm = ease / 3 * Math.exp(-3 * progress) + 0.4 * random.nextDouble();
            log.onStep(new StepMetrics(
                    step,
                    step / STEPS_PER_EPOCH,
                    2.5 * error,
                    norm,
                    1.3 * norm,
                    26 - ease / 2 * progress,
                    0.05 * (1 + Math.cos(Math.PI * progress)),
                    Map.of("error", error, "r", 0.1, "alpha", 0.8),
                    1500));
            if ((step + 1) % STEPS_PER_EPOCH == 0) {
                int epoch = (step + 1) / STEPS_PER_EPOCH;
                var test = new Evaluation(
                        Map.of("loss", 2.5 * error + 0.1, "error", error + 0.04, "top5Error", error / 10), 10_000);
                log.onEpoch(new EpochMetrics(
                        epoch,
                        STEPS_PER_EPOCH,
                        2.5 * error,
                        Map.of("error", error),
                        norm,
                        25,
                        0.05,
                        1500,
                        2.5,
                        epoch % 2 == 0 ? Optional.of(test) : Optional.empty()));
            }
        }
        return this;
    }

    public SampleRun status(String status) throws IOException {
        WholeFile.write(directory.resolve("run.json"), """
                {"name": "wrn-16-2 <cifar10>", "recipeHash": "3f9c01d2", "seed": 3, "started": "2026-11-15T09:30:00Z",
                 "version": "0.1.0", "gitRevision": "abc1234", "engine": "libtorch 2.10.0", "java": "17.0.15", "processor": "AMD EPYC",
                 "cores": 2, "threads": 2, "device": "cpu", "command": "./polder train wrn-16-2-cifar10 --data cifar",
                 "status": "%s", "parameters": 691674, "trainImages": 50000, "testImages": 10000, "classes": 10,
                 "epochs": %d, "stepsPerEpoch": %d, "somethingNew": {"a": 1}}
                """.formatted(status, EPOCHS, STEPS_PER_EPOCH));
        return this;
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    private static void fail(String warning) {
        throw new AssertionError(warning);
    }
}
