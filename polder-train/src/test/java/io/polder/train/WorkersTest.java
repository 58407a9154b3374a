package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.Normalization;
import io.polder.data.augment.Augmentation;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Share;
import io.polder.distributed.LostWorkerException;
import io.polder.distributed.ProcessGroup;
import io.polder.distributed.Rendezvous;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.models.ResidualNetwork;
import io.polder.nn.BatchNorm2d;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.FriendlySam;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.RelayedPass;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Numbers;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.VoidTensorHook;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads as workers: what is true of them is true of processes, which run the same code. */
@Timeout(180)
class WorkersTest {
    private static final int INPUTS = 6;
    private static final int CLASSES = 3;
    private static final int BATCH = 64;
    private static final double R = 0.05;

    /** The last batch of an epoch has one example: most workers have nothing to do then. */
    private static final int EXAMPLES = 3 * BATCH + 1;

    private static final int EPOCHS = 5;

    @TempDir
    private Path directory;

    private int meetings;

    /** What a worker does, alone where there is one. */
    private interface Part<T> {
        T play(Workers workers, ProcessGroup group) throws Exception;
    }

    private <T> List<Future<T>> play(int count, boolean syncPerturbation, Part<T> part) throws Exception {
        return play(count, syncPerturbation, false, part);
    }

    private <T> List<Future<T>> play(int count, boolean syncPerturbation, boolean syncBatchNorm, Part<T> part)
            throws Exception {
        Path file = directory.resolve("rendezvous-" + meetings++);
        var threads = Executors.newFixedThreadPool(count);
        try {
            List<Callable<T>> parts = new ArrayList<>();
            for (int rank = 0; rank < count; rank++) {
                var place = Rendezvous.inFile(rank, count, file, Duration.ofSeconds(30));
                parts.add(() -> {
                    try (var group = ProcessGroup.join(place)) {
                        return part.play(Workers.of(group, syncPerturbation, syncBatchNorm), group);
                    }
                });
            }
            return threads.invokeAll(parts);
        } finally {
            threads.shutdown();
        }
    }

    /** Two layers without batch norm. */
    private static final class Perceptron extends Network {
        private final LinearImpl first = register_module("first", new LinearImpl(INPUTS, 8));
        private final LinearImpl head = register_module("head", new LinearImpl(8, CLASSES));

        Perceptron() {
            try (var scope = Scope.withoutGradient()) {
                var generator = new GeneratorOptional(new RandomStreams(5).generator("first weights"));
                parametersByName().values().forEach(weights -> weights.normal_(0, 0.4, generator));
            }
        }

        @Override
        public Tensor forward(Tensor inputs, Forward forward) {
            return head.forward(torch.tanh(first.forward(inputs)));
        }
    }

    /** Batch norm on two ways that meet, so that backward passes might take them in either order. */
    private static final class Normalising extends Network {
        private final Conv2dImpl first = register_module("first", new Conv2dImpl(1, 8, new LongPointer(2, 2)));
        private final BatchNorm2d norm = register_module("norm", new BatchNorm2d(8));
        private final Conv2dImpl second = register_module("second", new Conv2dImpl(8, 8, new LongPointer(1, 1)));
        private final BatchNorm2d secondNorm = register_module("secondNorm", new BatchNorm2d(8));
        private final Conv2dImpl shortcut = register_module("shortcut", new Conv2dImpl(1, 8, new LongPointer(2, 2)));
        private final BatchNorm2d shortcutNorm = register_module("shortcutNorm", new BatchNorm2d(8));
        private final LinearImpl head = register_module("head", new LinearImpl(16, CLASSES));

        Normalising() {
            try (var scope = Scope.withoutGradient()) {
                var generator = new GeneratorOptional(new RandomStreams(5).generator("first weights"));
                parametersByName().values().forEach(weights -> weights.normal_(0, 0.4, generator));
            }
        }

        @Override
        public Tensor forward(Tensor inputs, Forward forward) {
            Tensor images =
                    inputs.view(inputs.size(0), 1, 2, 3).to(head.weight().scalar_type());
            Tensor inner = torch.tanh(norm.forward(first.forward(images), forward));
            Tensor sum = secondNorm
                    .forward(second.forward(inner), forward)
                    .add(shortcutNorm.forward(shortcut.forward(images), forward));
            return head.forward(torch.tanh(sum).flatten(1, -1));
        }
    }

    /** The same examples for everybody, in double precision. */
    private static Batches.Examples examples(int... numbers) {
        double[] inputs = new double[numbers.length * INPUTS];
        double[] targets = new double[numbers.length * CLASSES];
        for (int i = 0; i < numbers.length; i++) {
            var random = new Random(numbers[i]);
            double sum = 0;
            for (int j = 0; j < INPUTS; j++) {
                inputs[i * INPUTS + j] = random.nextGaussian();
                sum += inputs[i * INPUTS + j];
            }
            targets[i * CLASSES + (sum < -1 ? 0 : sum < 1 ? 1 : 2)] = 1;
        }
        return new Batches.Examples(
                Tensor.create(inputs, numbers.length, INPUTS), Tensor.create(targets, numbers.length, CLASSES));
    }

    private static Batches training() {
        return Batches.shuffled(EXAMPLES, BATCH, new RandomStreams(1), (numbers, device) -> examples(numbers));
    }

    private static Batches test() {
        return Batches.inOrder(50, 20, (numbers, device) -> examples(numbers));
    }

    private static TrainingPlan plan(Supplier<GradientScheme> scheme) {
        return new TrainingPlan(
                EPOCHS,
                EPOCHS,
                scheme,
                new Classification(0),
                PassOptions.l2(1e-3),
                () -> new Sgd(0.9, true),
                Schedule.constant(0.1),
                new ClipByGlobalNorm(0.5));
    }

    private static Supplier<GradientScheme> penalty() {
        return () -> GradientScheme.gradientNormPenalty(R, 0.8);
    }

    private interface Use<T> {
        T of(Trainer trainer) throws Exception;
    }

    private interface RankedUse<T> {
        T of(int rank, Trainer trainer) throws Exception;
    }

    private static <T> T training(Workers workers, Supplier<GradientScheme> scheme, Use<T> use) throws Exception {
        return training(workers, scheme, List.of(), use);
    }

    private static <T> T training(
            Workers workers, Supplier<GradientScheme> scheme, List<TrainingListener> listeners, Use<T> use)
            throws Exception {
        return training(workers, () -> new Perceptron().inDoublePrecision(), scheme, listeners, use);
    }

    private static <T> T training(
            Workers workers,
            Supplier<Network> network,
            Supplier<GradientScheme> scheme,
            List<TrainingListener> listeners,
            Use<T> use)
            throws Exception {
        var share = new Share(workers.rank(), workers.size());
        try (var scope = Scope.open();
                var trainer = new Trainer(
                        network.get(),
                        plan(scheme),
                        new TrainingData(training().of(share), test().of(share)),
                        Device.CPU,
                        new RandomStreams(2),
                        listeners,
                        workers)) {
            return use.of(trainer);
        }
    }

    private static double[] weights(Trainer trainer) {
        List<double[]> weights = new ArrayList<>();
        trainer.inspect((network, parameters) -> weights.add(parameters.values().toArray()));
        return weights.get(0);
    }

    private static void assertClose(double[] actual, double[] expected) {
        assertClose(actual, expected, 1e-12);
    }

    /** @param relative to the largest of them */
    private static void assertClose(double[] actual, double[] expected, double relative) {
        double scale = 0;
        for (double value : expected) {
            scale = Math.max(scale, Math.abs(value));
        }
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).as("weight " + i).isCloseTo(expected[i], within(relative * scale));
        }
    }

    private double[] trainedBy(int workers, boolean syncPerturbation, Supplier<GradientScheme> scheme)
            throws Exception {
        List<Future<double[]>> all = play(
                workers,
                syncPerturbation,
                (team, group) -> training(team, scheme, trainer -> {
                    trainer.run();
                    return weights(trainer);
                }));
        for (Future<double[]> each : all) {
            assertThat(each.get())
                    .as("every worker has the same bits")
                    .containsExactly(all.get(0).get());
        }
        return all.get(0).get();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void withTheFirstGradientAveragedTooManyWorkersAreOne(int workers) throws Exception {
        assertClose(trainedBy(workers, true, penalty()), trainedBy(1, true, penalty()));
    }

    /** Parameters and running statistics after the training, the same bits on every worker. */
    private double[] normalisedBy(
            int workers, boolean syncPerturbation, Supplier<GradientScheme> scheme, boolean doublePrecision)
            throws Exception {
        Supplier<Network> network = () -> doublePrecision ? new Normalising().inDoublePrecision() : new Normalising();
        List<Future<double[]>> all = play(
                workers,
                syncPerturbation,
                true,
                (team, group) -> training(team, network, scheme, List.of(), trainer -> {
                    trainer.run();
                    return weightsAndStatistics(trainer);
                }));
        for (Future<double[]> each : all) {
            assertThat(each.get())
                    .as("every worker has the same bits")
                    .containsExactly(all.get(0).get());
        }
        return all.get(0).get();
    }

    private static double[] weightsAndStatistics(Trainer trainer) {
        List<double[]> numbers = new ArrayList<>();
        trainer.inspect((network, parameters) -> {
            numbers.add(parameters.values().toArray());
            network.statisticsByName().values().stream()
                    .filter(Tensor::is_floating_point)
                    .forEach(statistic -> numbers.add(Numbers.of(statistic)));
        });
        return numbers.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    /** Of the epoch's last batch, which has one example, most workers have nothing. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void withStatisticsOfTheWholeBatchManyWorkersAreOne(int workers) throws Exception {
        assertClose(normalisedBy(workers, true, penalty(), true), normalisedBy(1, true, penalty(), true));
    }

    /** In float32, one rounding a number and step: twenty steps of them stay below 1e-6 of the largest weight. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void inSinglePrecisionTooButForRounding(int workers) throws Exception {
        assertClose(normalisedBy(workers, true, penalty(), false), normalisedBy(1, true, penalty(), false), 1e-6);
    }

    /** The epoch's last batch leaves a worker without a gradient to perturb with, who then follows the others. */
    @Test
    void withoutSyncPerturbationEachStillPerturbsForItself() throws Exception {
        assertThat(normalisedBy(3, false, penalty(), true)).isNotEqualTo(normalisedBy(3, true, penalty(), true));
    }

    @Test
    void oneWhoseNumbersAreNotFiniteLeavesNobodyWaitingInBatchNorm() throws Exception {
        List<Future<Object>> all = play(3, false, true, (workers, group) -> {
            Supplier<GradientScheme> scheme = () -> (pass, parameters, step) -> penalty()
                    .get()
                    .computeGradient(
                            new RelayedPass(pass, kind -> {
                                double loss = pass.compute(kind);
                                return step == 6 && workers.rank() == 2 ? Double.NaN : loss;
                            }),
                            parameters,
                            step);
            Supplier<Network> network = () -> new Normalising().inDoublePrecision();
            return training(workers, network, scheme, List.of(), trainer -> trainer.run());
        });
        for (int rank = 0; rank < 3; rank++) {
            Future<Object> one = all.get(rank);
            assertThatThrownBy(one::get)
                    .cause()
                    .isInstanceOf(DivergedException.class)
                    .hasMessageStartingWith("the training diverged at step 6: the loss "
                            + (rank == 2 ? "is NaN" : "or a gradient of rank 2 is not finite"));
        }
    }

    @Test
    void oneThatMakesOtherPassesIsNamed() throws Exception {
        List<Future<Object>> all = play(2, false, true, (workers, group) -> {
            Supplier<GradientScheme> scheme = () -> (pass, parameters, step) -> (step == 2 && workers.rank() == 1
                            ? GradientScheme.standard()
                            : penalty().get())
                    .computeGradient(pass, parameters, step);
            Supplier<Network> network = () -> new Normalising().inDoublePrecision();
            return training(workers, network, scheme, List.of(), trainer -> trainer.run());
        });
        for (Future<Object> each : all) {
            assertThatThrownBy(each::get)
                    .cause()
                    .hasMessageStartingWith("rank 1 makes other passes in step 2 than the others: ");
        }
    }

    /** In the middle of a backward pass, where the engine's own code lies between the exchange and the training. */
    @Test
    void oneThatIsLostWithinAPassIsNamed() throws Exception {
        List<Future<Object>> all = play(2, true, true, (workers, group) -> {
            var seen = new AtomicInteger();
            Supplier<Network> network = () -> {
                var made = new Normalising();
                made.parametersByName().get("second.weight").register_hook(new VoidTensorHook() {
                    @Override
                    public void call(TensorBase gradient) {
                        if (workers.rank() == 1 && seen.incrementAndGet() == 5) {
                            throw new IllegalStateException("gone");
                        }
                    }
                });
                return made.inDoublePrecision();
            };
            return training(workers, network, penalty(), List.of(), trainer -> trainer.run());
        });
        assertThatThrownBy(all.get(1)::get).cause().hasMessageContaining("gone");
        assertThatThrownBy(all.get(0)::get)
                .cause()
                .isInstanceOf(LostWorkerException.class)
                .hasMessageStartingWith("rank 0 of 2 lost rank 1 in the batch statistics of step 2: ");
    }

    @Test
    void standardTrainingWithStatisticsOfTheWholeBatchIsThatOfOne() throws Exception {
        assertClose(
                normalisedBy(4, false, GradientScheme::standard, true),
                normalisedBy(1, false, GradientScheme::standard, true));
    }

    @Test
    void standardTrainingIsTheSameWithManyWorkersAnyway() throws Exception {
        assertClose(trainedBy(3, false, GradientScheme::standard), trainedBy(1, false, GradientScheme::standard));
    }

    @Test
    void eachPerturbsWithItsOwnGradientAndOnlyTheMixedOneIsAveraged() throws Exception {
        assertClose(trainedBy(2, false, penalty()), averagedByHand(2));
        assertThat(trainedBy(2, false, penalty())).isNotEqualTo(trainedBy(1, false, penalty()));
    }

    private static double[] averagedByHand(int workers) {
        try (var scope = Scope.open();
                var network = new Perceptron().inDoublePrecision();
                var parameters = FlatParameters.of(network.parametersByName());
                var optimizer = new Sgd(0.9, true);
                var sum = parameters.gradient().zerosLike();
                var pass = new NetworkPass(
                        network,
                        parameters,
                        new Classification(0).loss(),
                        PassOptions.l2(1e-3),
                        new RandomStreams(2))) {
            var scheme = penalty().get();
            long step = 0;
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                List<Batches.Epoch> shares = new ArrayList<>();
                for (int rank = 0; rank < workers; rank++) {
                    shares.add(training().of(new Share(rank, workers)).epoch(epoch, 0));
                }
                while (shares.get(0).hasNext()) {
                    sum.setZero();
                    for (Batches.Epoch share : shares) {
                        Batches.Batch batch = share.next();
                        if (batch.size() > 0) {
                            Batches.Examples examples = batch.on(Device.CPU);
                            pass.on(examples.inputs(), examples.targets(), step);
                            scheme.computeGradient(pass, parameters, step);
                            sum.add((double) batch.size() / batch.whole(), parameters.gradient());
                        }
                    }
                    parameters.gradient().set(sum);
                    new ClipByGlobalNorm(0.5).apply(parameters, sum.norm());
                    optimizer.step(parameters, 0.1);
                    step++;
                }
            }
            return parameters.values().toArray();
        }
    }

    /** In double precision, so eight bytes a parameter. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepAveragesOnceOrTwiceAndTellsSo(boolean syncPerturbation) throws Exception {
        List<StepMetrics> steps = new ArrayList<>();
        var listener = new TrainingListener() {
            @Override
            public void onStep(StepMetrics metrics) {
                steps.add(metrics);
            }
        };
        List<Future<long[]>> counted = play(
                2,
                syncPerturbation,
                (workers, group) ->
                        training(workers, penalty(), workers.rank() == 0 ? List.of(listener) : List.of(), trainer -> {
                            trainer.run();
                            return new long[] {group.allReduces(), group.bytes(), weights(trainer).length};
                        }));
        int times = syncPerturbation ? 2 : 1;
        for (Future<long[]> each : counted) {
            long parameters = each.get()[2];
            assertThat(each.get()[0]).isEqualTo(times * 4L * EPOCHS);
            assertThat(each.get()[1]).isEqualTo(times * 4L * EPOCHS * Double.BYTES * parameters);
            assertThat(steps).hasSize(4 * EPOCHS).allSatisfy(step -> {
                assertThat(step.figure(Workers.SENT)).isEqualTo(times * Double.BYTES * parameters);
                assertThat(step.figure(Workers.WAITED)).isPositive();
            });
        }
    }

    @Test
    void sharesAreTheBatchInOrderAndAsLargeAsEachOther() throws Exception {
        for (int workers = 1; workers <= 7; workers++) {
            for (int size = 0; size <= 20; size++) {
                int next = 0;
                for (int rank = 0; rank < workers; rank++) {
                    var share = new Share(rank, workers);
                    assertThat(share.first(size)).isEqualTo(next);
                    assertThat(share.count(size)).isBetween(size / workers, (size - 1 + workers) / workers);
                    next += share.count(size);
                }
                assertThat(next).isEqualTo(size);
            }
        }
    }

    /** Of a loader, whose images are drawn at random, too. */
    @Test
    void sharesOfImagesAreTheEpoch() {
        var streams = new RandomStreams(3);
        var options = LoaderOptions.training(16, new PadCropFlip(1, PadCropFlip.Padding.ZERO, true));
        var images = Quarters.images(53, 1);
        List<String> whole = pixels(new Loader(images, options, streams));
        List<List<String>> shares = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            shares.add(pixels(new Loader(images, options.withShare(new Share(rank, 3)), streams)));
        }
        List<String> together = new ArrayList<>();
        for (int batch = 0; batch < whole.size(); batch++) {
            int number = batch;
            together.add(shares.stream().map(share -> share.get(number)).reduce("", String::concat));
        }
        assertThat(together).isEqualTo(whole);
    }

    /** Of each batch. */
    private static List<String> pixels(Loader loader) {
        List<String> batches = new ArrayList<>();
        try (loader;
                var epoch = loader.epoch(4)) {
            epoch.forEach(batch -> {
                byte[] bytes = new byte[batch.pixels().remaining()];
                batch.pixels().get(bytes);
                batches.add(HexFormat.of().formatHex(bytes));
            });
        }
        return batches;
    }

    @Test
    void evaluationSeesEveryExampleOnceWhateverTheNumberOfWorkers() throws Exception {
        Evaluation alone = play(1, false, WorkersTest::evaluation).get(0).get();
        assertThat(alone.examples()).isEqualTo(50);
        for (int workers : List.of(2, 3)) {
            for (Future<Evaluation> each : play(workers, false, WorkersTest::evaluation)) {
                assertThat(each.get().examples()).isEqualTo(50);
                assertThat(each.get().figure(Classification.ERROR)).isEqualTo(alone.figure(Classification.ERROR));
                assertThat(each.get().figure("loss")).isCloseTo(alone.figure("loss"), within(1e-14));
            }
        }
    }

    private static Evaluation evaluation(Workers workers, ProcessGroup group) throws Exception {
        return training(
                workers, penalty(), trainer -> trainer.evaluate(() -> false).orElseThrow());
    }

    @Test
    void aWishOfOneStopsAllAtTheSameStep() throws Exception {
        List<Long> stopped = new ArrayList<>();
        for (Future<Long> each : play(
                3,
                false,
                (workers, group) -> training(workers, penalty(), trainer -> {
                    assertThat(trainer.run(() ->
                                    workers.rank() == 2 && trainer.progress().step() >= 6))
                            .isFalse();
                    return trainer.progress().step();
                }))) {
            stopped.add(each.get());
        }
        assertThat(stopped).containsOnly(7L); // told with the step that was under way
    }

    @Test
    void aWorkerThatDivergesEndsAllAtTheSameStep() throws Exception {
        List<Future<Object>> all = play(3, false, (workers, group) -> {
            Supplier<GradientScheme> scheme = () -> (pass, parameters, step) -> {
                // What the last worker sees at step 6 is not finite.
                var seen = penalty().get();
                return step == 6 && workers.rank() == 2
                        ? seen.computeGradient(kind -> Double.NaN, parameters, step)
                        : seen.computeGradient(pass, parameters, step);
            };
            return training(workers, scheme, trainer -> trainer.run());
        });
        for (int rank = 0; rank < 3; rank++) {
            try {
                all.get(rank).get();
                assertThat(rank).as("rank that went on").isNegative();
            } catch (ExecutionException e) {
                assertThat(e.getCause())
                        .isInstanceOf(DivergedException.class)
                        .hasMessageStartingWith("the training diverged at step 6: the loss "
                                + (rank == 2 ? "is NaN" : "or a gradient of rank 2 is not finite"));
            }
        }
    }

    /** With batch norm, an average and a scheme that remembers: all that a worker has for itself. */
    private <T> List<Future<T>> playWithMemories(int count, RankedUse<T> use) throws Exception {
        return play(count, false, (workers, group) -> {
            var share = new Share(workers.rank(), workers.size());
            var streams = new RandomStreams(3);
            var images = Quarters.images(90, 1);
            try (var scope = Scope.open();
                    var train = new Loader(
                            images,
                            LoaderOptions.training(16, Augmentation.NONE).withShare(share),
                            streams);
                    var test = new Loader(
                            Quarters.images(30, 2), LoaderOptions.evaluation(20).withShare(share), streams);
                    var trainer = new Trainer(
                            new ResidualNetwork(1, List.of(8, 16), 1, Quarters.CLASSES, streams),
                            new TrainingPlan(
                                    2,
                                    Long.MAX_VALUE,
                                    1,
                                    () -> new FriendlySam(Schedule.constant(R), 1, 0.9),
                                    new Classification(0),
                                    PassOptions.l2(1e-3),
                                    () -> new Sgd(0.9, true),
                                    Schedule.constant(0.05),
                                    ClipByGlobalNorm.NEVER,
                                    OptionalDouble.of(0.9),
                                    100,
                                    OptionalInt.empty()),
                            TrainingData.ofImages(train, test, Normalization.of(images)),
                            Device.CPU,
                            streams,
                            List.of(),
                            workers)) {
                return use.of(workers.rank(), trainer);
            }
        });
    }

    private static void save(Trainer trainer, Path to, boolean writes) throws Exception {
        try (var state = trainer.gather()) {
            if (writes) {
                Files.createDirectories(to);
                state.writeTo(to);
            }
        }
    }

    @Test
    void asManyWorkersGoOnToTheSameBits() throws Exception {
        Path straight = directory.resolve("straight");
        Path half = directory.resolve("half");
        Path resumed = directory.resolve("resumed");
        for (Future<Object> each : playWithMemories(2, (rank, trainer) -> {
            trainer.run();
            save(trainer, straight, rank == 0);
            return null;
        })) {
            each.get();
        }
        for (Future<Object> each : playWithMemories(2, (rank, trainer) -> {
            trainer.run(() -> trainer.progress().step() >= 4);
            save(trainer, half, rank == 0);
            return null;
        })) {
            each.get();
        }
        for (Future<Object> each : playWithMemories(2, (rank, trainer) -> {
            trainer.resumeFrom(half);
            trainer.run();
            save(trainer, resumed, rank == 0);
            return null;
        })) {
            each.get();
        }
        assertThat(half.resolve("worker-1.safetensors")).exists();
        try (var files = Files.list(straight)) {
            for (Path file : files.toList()) {
                assertThat(Files.mismatch(file, resumed.resolve(file.getFileName())))
                        .as(file.getFileName().toString())
                        .isEqualTo(-1);
            }
        }
        for (int others : List.of(1, 3)) {
            for (Future<Long> each : playWithMemories(others, (rank, trainer) -> {
                trainer.resumeFrom(half);
                trainer.run();
                return trainer.progress().step();
            })) {
                assertThat(each.get()).isEqualTo(12);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void anotherNumberOfWorkersGoesOnAlikeButForRounding(int others) throws Exception {
        Path half = Files.createDirectory(directory.resolve("half"));
        for (Future<Object> each : play(
                2,
                true,
                (workers, group) -> training(workers, penalty(), trainer -> {
                    trainer.run(() -> trainer.progress().step() >= 9);
                    save(trainer, half, workers.rank() == 0);
                    return null;
                }))) {
            each.get();
        }
        double[] straight = trainedBy(2, true, penalty());
        for (Future<double[]> each : play(
                others,
                true,
                (workers, group) -> training(workers, penalty(), trainer -> {
                    trainer.resumeFrom(half);
                    trainer.run();
                    return weights(trainer);
                }))) {
            assertClose(each.get(), straight);
        }
    }
}
