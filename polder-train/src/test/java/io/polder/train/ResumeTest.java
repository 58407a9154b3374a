package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.data.Normalization;
import io.polder.data.augment.Mixup;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.loss.PassOptions;
import io.polder.models.MultilayerPerceptron;
import io.polder.models.ResidualNetwork;
import io.polder.nn.Dropout;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.optim.AdamW;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Optimizer;
import io.polder.optim.RmsProp;
import io.polder.optim.Sgd;
import io.polder.penalty.Coefficients;
import io.polder.penalty.GradientNormPenalty;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.IntermittentScheme;
import io.polder.penalty.LossPass;
import io.polder.penalty.Mix;
import io.polder.penalty.Perturbation;
import io.polder.penalty.StepGradient;
import io.polder.penalty.Turns;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.Precision;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that is stopped, saved, thrown away and resumed by new objects ends bit for bit like one that was not stopped (F12). */
class ResumeTest {
    private static final int BATCH = 16;
    private static final int BATCHES = 13; // of 200 images
    private static final int EPOCHS = 3;

    @TempDir
    private Path directory;

    /** One way to train: all that is not the same in all of them. */
    private record Way(
            String name,
            Function<RandomStreams, Network> network,
            Supplier<GradientScheme> scheme,
            Supplier<Optimizer> optimizer,
            PassOptions pass,
            OptionalDouble average,
            long steps) {
        static Way of(String name) {
            return new Way(
                    name,
                    residual(List.of(8, 16)),
                    () -> GradientScheme.gradientNormPenalty(0.05, 0.7),
                    () -> new Sgd(0.9, true),
                    PassOptions.l2(1e-3),
                    OptionalDouble.empty(),
                    Long.MAX_VALUE);
        }

        private static Function<RandomStreams, Network> residual(List<Integer> widths) {
            return streams -> new ResidualNetwork(1, widths, 1, Quarters.CLASSES, streams);
        }

        Way with(List<Integer> widths) {
            return new Way(name, residual(widths), scheme, optimizer, pass, average, steps);
        }

        Way withScheme(Supplier<GradientScheme> scheme) {
            return new Way(name, network, scheme, optimizer, pass, average, steps);
        }

        Way with(Supplier<Optimizer> optimizer) {
            return new Way(name, network, scheme, optimizer, pass, average, steps);
        }

        Way with(int microBatch, Precision precision) {
            var changed = new PassOptions(1e-3, true, microBatch, precision);
            return new Way(name, network, scheme, optimizer, changed, average, steps);
        }

        Way withAverage(double decay) {
            return new Way(name, network, scheme, optimizer, pass, OptionalDouble.of(decay), steps);
        }

        Way withSteps(long steps) {
            return new Way(name, network, scheme, optimizer, pass, average, steps);
        }

        Way withDropout() {
            return new Way(
                    name,
                    streams -> new MultilayerPerceptron(
                            List.of(Quarters.SIZE * Quarters.SIZE, 32, Quarters.CLASSES),
                            MultilayerPerceptron.Activation.RELU,
                            new Dropout(0.3),
                            streams),
                    scheme,
                    optimizer,
                    pass,
                    average,
                    steps);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Steps with the sum of this gradient and half of the one that it stepped with before. */
    private static final class LastGradient implements GradientScheme {
        private FlatVector last;

        @Override
        public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
            FlatVector memory = memory(parameters).get("last");
            double loss = pass.compute(Pass.ONLY);
            double norm = parameters.gradient().norm();
            memory.set(parameters.gradient().add(0.5, memory));
            return new StepGradient(loss, norm, parameters.gradient().norm(), Map.of("kept", 0.5));
        }

        @Override
        public Map<String, FlatVector> memory(FlatParameters parameters) {
            if (last == null) {
                last = parameters.gradient().copy().setZero();
            }
            return Map.of("last", last);
        }

        @Override
        public void close() {
            if (last != null) {
                last.close();
            }
        }
    }

    static Stream<Way> ways() {
        var coefficients = Coefficients.constant(0.05, 0.7).warmUpRadius(20);
        return Stream.of(
                Way.of("penalty with SGD"),
                Way.of("plain SGD, which remembers nothing").with(() -> new Sgd(0, false)),
                Way.of("accumulated").with(5, Precision.FLOAT32),
                Way.of("hybrid")
                        .withScheme(() -> new IntermittentScheme(
                                GradientScheme.sam(0.05),
                                Turns.withProbability(Schedule.constant(0.5), new RandomStreams(7)))),
                Way.of("warmed up")
                        .withScheme(() -> new GradientNormPenalty(coefficients, Perturbation.ADAPTIVE, Mix.DIRECTION)),
                Way.of("a scheme that remembers").withScheme(LastGradient::new),
                Way.of("a scheme that remembers, in every other step")
                        .withScheme(() -> new IntermittentScheme(
                                new LastGradient(),
                                Turns.withProbability(Schedule.constant(0.5), new RandomStreams(7)))),
                Way.of("bf16").with(Integer.MAX_VALUE, Precision.BF16),
                Way.of("averaged").withAverage(0.9),
                Way.of("AdamW with dropout")
                        .with(() -> new AdamW(new AdamW.Settings(0.9, 0.999, 1e-8, 0.1)))
                        .withDropout(),
                Way.of("RMSProp").with(() -> new RmsProp(0.9, 1e-3, 0.9)),
                Way.of("limited to steps").withSteps(2 * BATCHES + 3));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void resumedEqualsUninterrupted(Way way) throws IOException {
        Path whole = Files.createDirectory(directory.resolve("whole"));
        List<Object> expected = new ArrayList<>();
        train(way, null, Long.MAX_VALUE, whole, expected);

        // In the middle of an epoch, after its last step but before its evaluation, between two epochs, and at the end.
        for (long stop : new long[] {5, BATCHES, BATCHES + 1, 2 * BATCHES + 3}) {
            Path half = Files.createDirectory(directory.resolve("half" + stop));
            Path resumed = Files.createDirectory(directory.resolve("resumed" + stop));
            List<Object> seen = new ArrayList<>();
            train(way, null, stop, half, seen);
            train(way, half, Long.MAX_VALUE, resumed, seen);

            assertThat(seen).as("stopped after step %d", stop).isEqualTo(expected);
            assertSameFiles(resumed, whole);
        }
    }

    @Test
    void aSnapshotOfAnotherOptimizerIsRefusedAndChangesNothing() throws IOException {
        var other = Way.of("AdamW").with(() -> new AdamW(new AdamW.Settings(0.9, 0.999, 1e-8, 0.1)));
        assertRefused(other, snapshot(Way.of("SGD")), "optimizer.safetensors has no ", "another recipe");
    }

    @Test
    void aSnapshotOfASchemeThatRemembersNothingIsRefusedAndChangesNothing() throws IOException {
        var other = Way.of("remembers").withScheme(LastGradient::new);
        assertRefused(other, snapshot(Way.of("SGD")), "scheme.safetensors", "check");
    }

    @Test
    void aSnapshotWithoutAnAverageIsRefusedAndChangesNothing() throws IOException {
        assertRefused(Way.of("averaged").withAverage(0.9), snapshot(Way.of("SGD")), "average.safetensors", "check");
    }

    /** Under the same names, so that only the shapes tell. */
    @Test
    void anOptimizersMemoryOfAnotherNetworkIsRefusedAndChangesNothing() throws IOException {
        Path mixed = snapshot(Way.of("SGD"));
        Path wider = snapshot(Way.of("wider").with(List.of(8, 24)));
        Files.copy(
                wider.resolve("optimizer.safetensors"),
                mixed.resolve("optimizer.safetensors"),
                StandardCopyOption.REPLACE_EXISTING);
        assertRefused(Way.of("SGD"), mixed, "it must be [16, 8, 3, 3]", "another recipe");
    }

    private Path snapshot(Way way) throws IOException {
        Path path = Files.createDirectory(directory.resolve(way.name()));
        train(way, null, 3, path, new ArrayList<>());
        return path;
    }

    private void assertRefused(Way way, Path snapshot, String... parts) throws IOException {
        Path before = Files.createDirectory(directory.resolve("before"));
        Path after = Files.createDirectory(directory.resolve("after"));
        withTrainer(way, new ArrayList<>(), trainer -> {
            trainer.run(() -> trainer.progress().step() >= 5);
            trainer.saveTo(before);
            assertThatThrownBy(() -> trainer.resumeFrom(snapshot))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(parts);
            trainer.saveTo(after);
        });
        assertSameFiles(after, before);
    }

    /** The average is evaluated, not the weights, which evaluation leaves as they are. */
    @Test
    void theAverageIsWhatIsEvaluatedAndSaved() throws IOException {
        Path plain = Files.createDirectory(directory.resolve("plain"));
        Path averaged = Files.createDirectory(directory.resolve("averaged"));
        List<Object> ofPlain = new ArrayList<>();
        List<Object> ofAveraged = new ArrayList<>();
        train(Way.of("plain"), null, Long.MAX_VALUE, plain, ofPlain);
        train(Way.of("averaged").withAverage(0.99), null, Long.MAX_VALUE, averaged, ofAveraged);

        assertThat(Files.mismatch(weights(plain), weights(averaged))).isEqualTo(-1);
        assertThat(Files.mismatch(weights(averaged), new Snapshot(averaged).average()))
                .isNotEqualTo(-1);
        assertThat(new Snapshot(plain).average()).doesNotExist();
        assertThat(ofAveraged).isNotEqualTo(ofPlain);
    }

    private static Path weights(Path directory) {
        return new Snapshot(directory).weights();
    }

    private static void assertSameFiles(Path actual, Path expected) throws IOException {
        try (var files = Files.list(expected)) {
            for (Path file : files.toList()) {
                assertThat(Files.mismatch(actual.resolve(file.getFileName()), file))
                        .as("first difference in %s", file.getFileName())
                        .isEqualTo(-1);
            }
        }
    }

    /** Trains from a snapshot or from the start, up to a step or to the end, saves, and adds what listeners saw but for the time. */
    private static void train(Way way, Path from, long stop, Path to, List<Object> seen) throws IOException {
        withTrainer(way, seen, trainer -> {
            if (from != null) {
                trainer.resumeFrom(from);
            }
            trainer.run(() -> trainer.progress().step() >= stop);
            trainer.saveTo(to);
        });
    }

    private interface Use {
        void of(Trainer trainer) throws IOException;
    }

    private static void withTrainer(Way way, List<Object> seen, Use use) throws IOException {
        var streams = new RandomStreams(3);
        var images = Quarters.images(200, 1);
        var options = LoaderOptions.training(BATCH, new PadCropFlip(1, PadCropFlip.Padding.ZERO, true))
                .withMixing(new Mixup(0.5));
        try (var scope = Scope.open();
                var train = new Loader(images, options, streams);
                var test = new Loader(Quarters.images(60, 2), LoaderOptions.evaluation(25), streams)) {
            var plan = new TrainingPlan(
                    EPOCHS,
                    way.steps(),
                    2,
                    way.scheme(),
                    new Classification(0.1),
                    way.pass(),
                    way.optimizer(),
                    Schedule.cosine(0.02, EPOCHS * BATCHES),
                    new ClipByGlobalNorm(5),
                    way.average(),
                    100,
                    OptionalInt.empty());
            var listener = new TrainingListener() {
                @Override
                public void onStep(StepMetrics metrics) {
                    seen.add(Quarters.withoutSpeed(metrics));
                }

                @Override
                public void onEpoch(EpochMetrics metrics) {
                    seen.add(List.of(
                            metrics.epoch(), metrics.steps(), metrics.loss(), metrics.figures(), metrics.test()));
                }
            };
            var data = TrainingData.ofImages(train, test, Normalization.of(images));
            try (var trainer =
                    new Trainer(way.network().apply(streams), plan, data, Device.CPU, streams, List.of(listener))) {
                use.of(trainer);
            }
        }
    }
}
