package io.polder.bench;

import io.polder.cli.RunProgress;
import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.files.WholeFile;
import io.polder.loss.PassOptions;
import io.polder.metrics.MetricsLog;
import io.polder.metrics.TensorBoardEvents;
import io.polder.models.Architectures;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.recipe.RecipeReader;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import io.polder.run.RunObserver;
import io.polder.run.RunSettings;
import io.polder.run.TrainingRun;
import io.polder.run.Watchdog;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Classification;
import io.polder.train.EpochMetrics;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;
import io.polder.train.Trainer;
import io.polder.train.TrainingData;
import io.polder.train.TrainingListener;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a run costs besides its training: metrics and TensorBoard events of as many steps as a run records, run.json as
 * often as a run writes it, the watchdog and a progress bar. One trainer, resnet-small, standard training, batch 64, whose listeners are
 * switched off and on from round to round. Rounds without them are of two kinds that differ in nothing but their name: how far the ratio of those two is from 1 is
 * what this benchmark cannot tell on the machine at hand. Besides, the time inside the listeners is measured by itself. The cost must be at
 * most 1 % of a step. Checkpoints have {@link CheckpointStall}; the report sees to its own share.
 *
 * <p>Arguments: threads of the engine (1), rounds of each kind (200), steps a round (16), the directory for the files (here: on a
 * real disk).
 */
final class RunCost {
    private static final int BATCH = 64;
    private static final List<String> KINDS = List.of("none", "none again", "all listeners");
    private static final int ALL = 2;

    private static final String RECIPE = """
            name: cost
            epochs: 100000
            model: { name: resnet-small }
            data: { name: fashion-mnist-2000, augment: none, batch: 64 }
            scheme: { name: standard }
            optimizer: { name: sgd }
            learningRate: { schedule: constant, base: 0.01 }
            """;

    /** Times the rounds, and lets the listeners hear of those of the third kind. */
    private static final class Switch implements TrainingListener {
        final double[][] seconds;
        final double[][] cpuSeconds;
        private final List<TrainingListener> listeners;
        private final int rounds;
        private final int stepsPerRound;
        private int steps;
        private long started;
        private long cpuStarted;

        /** Of the measured steps with listeners. */
        private long inListeners;

        private long heardSteps;

        Switch(List<TrainingListener> listeners, int rounds, int stepsPerRound) {
            this.listeners = listeners;
            this.rounds = rounds;
            this.stepsPerRound = stepsPerRound;
            seconds = new double[KINDS.size()][rounds];
            cpuSeconds = new double[KINDS.size()][rounds];
        }

        private int round() {
            return steps / (stepsPerRound * KINDS.size());
        }

        /** In another order each time, so that none always follows the same one. */
        private int kind() {
            return (steps / stepsPerRound + round()) % KINDS.size();
        }

        boolean isDone() {
            return round() == rounds;
        }

        void begin() {
            started = System.nanoTime();
            cpuStarted = CpuClock.nanoseconds();
        }

        @Override
        public void onStep(StepMetrics metrics) {
            if (kind() == ALL) {
                long before = System.nanoTime();
                listeners.forEach(listener -> listener.onStep(metrics));
                count(before, 1);
            }
            int kind = kind();
            int round = round();
            steps++;
            if (steps % stepsPerRound == 0) {
                seconds[kind][round] = (System.nanoTime() - started) * 1e-9;
                cpuSeconds[kind][round] = (CpuClock.nanoseconds() - cpuStarted) * 1e-9;
                begin();
            }
        }

        @Override
        public void onEpoch(EpochMetrics metrics) {
            if (!isDone() && kind() == ALL) {
                long before = System.nanoTime();
                listeners.forEach(listener -> listener.onEpoch(metrics));
                count(before, 0);
            }
        }

        private void count(long before, int steps) {
            if (round() >= rounds / 4) {
                inListeners += System.nanoTime() - before;
                heardSteps += steps;
            }
        }
    }

    public static void main(String[] arguments) throws IOException {
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        int steps = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 16;
        Path directory = Files.createTempDirectory(Path.of(arguments.length > 3 ? arguments[3] : "."), "run-cost");
        System.setProperty("polder.columns", "120"); // a terminal, as far as the bar can tell
        try {
            RunInfo info = aRun(directory.resolve("run"), threads);
            var file = new RunDirectory(directory.resolve("run")).infoFile();
            String json = Files.readString(file);
            long every = MetricsLog.everyFor(info.length().stepsPerEpoch());
            try (var screen = new PrintWriter(Files.newBufferedWriter(Path.of("/dev/null")));
                    var log = MetricsLog.create(directory.resolve("metrics.jsonl"), every, System.err::println);
                    var events = TensorBoardEvents.create(directory, every, System.err::println);
                    var watchdog = new Watchdog(Duration.ofMinutes(10), System.err::println);
                    var progress = new RunProgress(screen, null)) {
                progress.begin(info, Progress.START);
                var result = new TrainingListener() {
                    private double secondsSince;

                    @Override
                    public void onEpoch(EpochMetrics metrics) {
                        secondsSince += metrics.seconds();
                        if (secondsSince < TrainingRun.INFO_EVERY.toSeconds()) {
                            return;
                        }
                        secondsSince = 0;
                        try {
                            WholeFile.write(file, json);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                };
                var measured = new Switch(List.of(log, events, watchdog, progress, result), rounds, steps);
                train(measured);
                report(measured, threads, steps);
            }
        } finally {
            delete(directory);
        }
    }

    /** Of no step, for its run.json. Sets the engine's threads. */
    private static RunInfo aRun(Path directory, int threads) throws IOException {
        var settings = new RunSettings(
                threads, Device.CPU, Optional.empty(), Optional.empty(), "benchmark", "unknown", "RunCost");
        return TrainingRun.start(
                RecipeReader.read(RECIPE, "cost.yaml", List.of()), directory, settings, new RunObserver() {
                    @Override
                    public boolean stopRequested() {
                        return true;
                    }
                });
    }

    private static void train(Switch listener) throws IOException {
        var streams = new RandomStreams(0);
        try (var scope = Scope.open();
                var dataset = Datasets.named("fashion-mnist-2000").open(Optional.empty(), OpenOptions.DEFAULT)) {
            var pipeline = Pipeline.named("none", dataset.natural());
            var splits = dataset.splits(pipeline.training(), pipeline.evaluation(), SplitChoice.test(), streams);
            var network = Architectures.named("resnet-small").build(1, 28, 10, streams);
            var plan = new TrainingPlan(
                    100_000,
                    100_000,
                    () -> GradientScheme.standard(),
                    new Classification(0),
                    PassOptions.l2(1e-3),
                    () -> new Sgd(0.9, true),
                    Schedule.constant(0.01),
                    new ClipByGlobalNorm(5));
            var training = LoaderOptions.training(BATCH, pipeline.augmentation());
            try (var train = new Loader(splits.train(), training, streams);
                    var test = new Loader(splits.evaluation(), LoaderOptions.evaluation(BATCH), streams);
                    var trainer = new Trainer(
                            network,
                            plan,
                            TrainingData.ofImages(train, test, splits.normalization()),
                            Device.CPU,
                            streams,
                            List.of(listener))) {
                listener.begin();
                trainer.run(listener::isDone);
            }
        }
    }

    private static void report(Switch measured, int threads, int steps) {
        double step = median(measured.seconds[0]) / steps;
        System.out.printf(
                Locale.ROOT,
                "A step of resnet-small, batch %d, %d thread(s), %d interleaved rounds of %d steps of each kind:%n"
                        + "                  clock (median)           processor (mean)%n",
                BATCH,
                threads,
                measured(measured.seconds[0]).length,
                steps);
        for (int kind = 0; kind < KINDS.size(); kind++) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-14s %8.3f ms  x %.4f     %8.3f ms  x %.4f%n",
                    KINDS.get(kind),
                    1000 * median(measured.seconds[kind]) / steps,
                    median(measured.seconds[kind]) / median(measured.seconds[0]),
                    1000 * mean(measured.cpuSeconds[kind]) / steps,
                    mean(measured.cpuSeconds[kind]) / mean(measured.cpuSeconds[0]));
        }
        double listeners = measured.inListeners * 1e-9 / measured.heardSteps;
        System.out.printf(
                Locale.ROOT,
                "  Inside the listeners, epochs included: %.1f µs a step, %.3f %% of one (must be at most 1 %%)%n",
                1e6 * listeners,
                100 * listeners / step);
    }

    /** The first quarter is for warming up. */
    private static double[] measured(double[] rounds) {
        return Arrays.copyOfRange(rounds, rounds.length / 4, rounds.length);
    }

    /** Of processor time, whose clock may tick but a hundred times a second: only the sum of many rounds is fine enough. */
    private static double mean(double[] rounds) {
        return Arrays.stream(measured(rounds)).average().orElseThrow();
    }

    private static double median(double[] rounds) {
        double[] sorted = measured(rounds);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
