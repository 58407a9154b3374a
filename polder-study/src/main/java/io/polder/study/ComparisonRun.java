package io.polder.study;

import io.polder.data.ImageSource;
import io.polder.data.Loader;
import io.polder.data.LoaderOptions;
import io.polder.data.Normalization;
import io.polder.data.augment.Augmentation;
import io.polder.loss.PassOptions;
import io.polder.models.ResidualNetwork;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Classification;
import io.polder.train.EpochMetrics;
import io.polder.train.Trainer;
import io.polder.train.TrainingData;
import io.polder.train.TrainingListener;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The experiment of {@code ./polder compare}: a small residual network on few images without augmentation, a regime that
 * overfits and so shows what the penalty is for, trained by each method with each seed.
 *
 * <p>Trials run side by side, one thread of the engine each: on small networks two trials on two cores finish sooner than two
 * cores on one trial at a time.
 */
public final class ComparisonRun {
    private static final List<Integer> WIDTHS = List.of(16, 32, 64);
    private static final int STEM_STRIDE = 2;
    private static final int BATCH = 64;
    private static final double LEARNING_RATE = 0.1;
    private static final double MOMENTUM = 0.9;
    private static final double L2 = 1e-3;

    /** An evaluation on 10,000 images costs as much as an epoch of training on 2,000. */
    private static final int EVALUATE_EVERY = 5;

    /** Inference is fastest around this size, and it divides 10,000. */
    private static final int EVALUATION_BATCH = 500;

    /** Shows a trial's progress; called on the trial's own thread. */
    @FunctionalInterface
    public interface Watcher {
        /** A trial is about to start and will take so many steps: who listens to it? */
        TrainingListener trialStarts(Method method, int seed, long steps, int epochs);
    }

    private final ComparisonSettings settings;
    private final ImageSource train;
    private final ImageSource test;
    private final Normalization normalization;

    /** @throws IOException if the images cannot be read or do not fit together */
    public ComparisonRun(ComparisonSettings settings, ImageSource train, ImageSource test) throws IOException {
        if (!train.shape().equals(test.shape()) || train.classes() != test.classes()) {
            throw new IOException("the training images are " + describe(train) + " and the test images "
                    + describe(test) + ": they must agree");
        }
        this.settings = settings;
        this.train = train;
        this.test = test;
        this.normalization = Normalization.of(train);
    }

    /**
     * Trains all, and returns the trials in the order of methods and seeds.
     *
     * @throws CancellationException if this thread is interrupted; all trials have ended by then
     * @throws IllegalStateException if a trial fails; it names the trial, and the others were stopped
     */
    public List<TrialRecord> run(Watcher watcher) {
        List<Trial> trials = new ArrayList<>();
        settings.schemes()
                .forEach((method, scheme) ->
                        settings.seedList().forEach(seed -> trials.add(new Trial(method, scheme, seed))));
        // The penalised trials take twice as long: they go first, so that the cores finish together.
        List<Trial> longestFirst = new ArrayList<>(trials);
        longestFirst.sort((a, b) -> Boolean.compare(a.isStandard(), b.isStandard()));

        int sideBySide = sideBySide();
        Engine.setThreads(Math.max(1, Runtime.getRuntime().availableProcessors() / sideBySide));
        ExecutorService threads = Executors.newFixedThreadPool(sideBySide);
        Map<Trial, TrialRecord> records = new LinkedHashMap<>();
        try {
            var finished = new ExecutorCompletionService<Map.Entry<Trial, TrialRecord>>(threads);
            longestFirst.forEach(trial -> finished.submit(() -> Map.entry(trial, runNamed(trial, watcher))));
            for (int i = 0; i < trials.size(); i++) {
                var entry = finished.take().get();
                records.put(entry.getKey(), entry.getValue());
            }
        } catch (InterruptedException e) {
            throw new CancellationException("the comparison was stopped before its end");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        } finally {
            threads.shutdownNow();
            awaitEnd(threads);
        }
        return trials.stream().map(records::get).toList();
    }

    /** How many trials run at the same time. */
    public int sideBySide() {
        int trials = settings.seeds() * settings.schemes().size();
        return Math.min(trials, Runtime.getRuntime().availableProcessors());
    }

    public List<Method> methods() {
        return List.copyOf(settings.schemes().keySet());
    }

    /** What the report says of the experiment, the data's name aside. */
    public Map<String, String> description() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "Images",
                "%,d for training and %,d for testing, %s".formatted(train.size(), test.size(), describe(train)));
        facts.put("Network", "residual, pre-activation, blocks of 16, 32 and 64 channels, stem of stride 2");
        facts.put("Epochs", Integer.toString(settings.epochs()));
        facts.put("Batch", Integer.toString(BATCH));
        facts.put("Augmentation", "none");
        facts.put("Optimizer", "SGD, momentum " + NumberText.plain(MOMENTUM) + ", Nesterov");
        facts.put("Learning rate", NumberText.plain(LEARNING_RATE) + ", cosine");
        facts.put("Weight decay", NumberText.plain(L2) + ", L2 inside the loss");
        return facts;
    }

    private record Trial(Method method, GradientScheme scheme, int seed) {
        boolean isStandard() {
            return method.equals(ComparisonSettings.STANDARD);
        }
    }

    private TrialRecord runNamed(Trial trial, Watcher watcher) {
        try {
            return run(trial, watcher);
        } catch (RuntimeException | Error e) {
            throw new IllegalStateException(
                    trial.method().label() + ", seed " + trial.seed() + ", failed: " + e.getMessage(), e);
        }
    }

    private TrialRecord run(Trial trial, Watcher watcher) {
        var streams = new RandomStreams(trial.seed());
        var training = LoaderOptions.training(BATCH, Augmentation.NONE).withThreads(1);
        var evaluation = LoaderOptions.evaluation(EVALUATION_BATCH).withThreads(1);
        try (var scope = Scope.open();
                var trainLoader = new Loader(train, training, streams);
                var testLoader = new Loader(test, evaluation, streams)) {
            long steps = (long) settings.epochs() * trainLoader.batchesPerEpoch();
            var plan = new TrainingPlan(
                    settings.epochs(),
                    EVALUATE_EVERY,
                    trial::scheme,
                    new Classification(0),
                    PassOptions.l2(L2),
                    () -> new Sgd(MOMENTUM, true),
                    Schedule.cosine(LEARNING_RATE, steps),
                    ClipByGlobalNorm.NEVER);
            var network = new ResidualNetwork(train.shape().channels(), WIDTHS, STEM_STRIDE, train.classes(), streams);
            var data = TrainingData.ofImages(trainLoader, testLoader, normalization);
            var recorder = new Recorder();
            var listeners =
                    List.of(recorder, watcher.trialStarts(trial.method(), trial.seed(), steps, settings.epochs()));
            try (var trainer = new Trainer(network, plan, data, Device.CPU, streams, listeners)) {
                trainer.run();
            }
            return new TrialRecord(
                    trial.method().name(), trial.seed(), recorder.epochs, recorder.steps, recorder.seconds);
        }
    }

    private static final class Recorder implements TrainingListener {
        private final List<EpochRecord> epochs = new ArrayList<>();
        private long steps;
        private double seconds;

        @Override
        public void onEpoch(EpochMetrics epoch) {
            steps += epoch.steps();
            seconds += epoch.seconds();
            epochs.add(new EpochRecord(
                    epoch.epoch(),
                    epoch.loss(),
                    epoch.figure("error"),
                    epoch.test().map(test -> test.figure("loss")).orElse(Double.NaN),
                    epoch.test().map(test -> test.figure("error")).orElse(Double.NaN),
                    epoch.gradientNorm(),
                    epoch.parameterNorm(),
                    epoch.learningRate(),
                    epoch.imagesPerSecond()));
        }
    }

    /** An interrupted trial ends at its next batch; to leave before would pull native memory from under it. */
    private static void awaitEnd(ExecutorService threads) {
        boolean interrupted = false;
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String describe(ImageSource images) {
        var shape = images.shape();
        return String.format(
                Locale.ROOT,
                "%d×%d, %s, %d classes",
                shape.width(),
                shape.height(),
                shape.channels() == 1 ? "grey" : shape.channels() + " channels",
                images.classes());
    }
}
