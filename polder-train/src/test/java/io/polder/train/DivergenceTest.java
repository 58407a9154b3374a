package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.data.Normalization;
import io.polder.data.augment.Augmentation;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.loss.PassOptions;
import io.polder.models.MultilayerPerceptron;
import io.polder.models.ResidualNetwork;
import io.polder.nn.Dropout;
import io.polder.nn.Network;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DivergenceTest {
    /** 13 steps an epoch; calm until the epoch with this number is done, then far too fast. */
    private static final int CALM_STEPS = 26;

    @TempDir
    private Path directory;

    @Test
    void aNormFarBeyondItsHistoryStopsBeforeTheStepThatShowsIt() throws IOException {
        train(1e4, 50, trainer -> {
            assertThatThrownBy(trainer::run)
                    .isInstanceOf(DivergedException.class)
                    .hasMessageContaining(
                            "diverged at step " + trainer.progress().step())
                    .hasMessageContaining("times the largest before it")
                    .hasMessageContaining("try a smaller learning rate");
            assertThat(trainer.progress().step()).isGreaterThanOrEqualTo(CALM_STEPS);
        });
    }

    /** Far too fast from the 27th step on, so it is refused for its gradient's norm, though all is finite. */
    @Test
    void aStepThatIsRefusedForItsNormLeavesTheNetworkAsItWas() throws IOException {
        train(DivergenceTest::residualNetwork, 1e4, 50, trainer -> {
            List<Path> saved = new ArrayList<>();
            assertThatThrownBy(() -> trainer.run(() -> {
                        saved.add(save(trainer, saved.size()));
                        return false;
                    }))
                    .isInstanceOf(DivergedException.class)
                    .hasMessageContaining("times the largest before it");
            Path after = save(trainer, saved.size());
            assertThat(new Snapshot(after).weights())
                    .hasSameBinaryContentAs(new Snapshot(saved.get(saved.size() - 1)).weights());
        });
    }

    private Path save(Trainer trainer, int number) {
        try {
            Path path = Files.createDirectory(directory.resolve("save" + number));
            trainer.saveTo(path);
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aLossThatIsNotFiniteStopsWhateverTheLimit() throws IOException {
        train(
                1e30,
                Double.POSITIVE_INFINITY,
                trainer -> assertThatThrownBy(trainer::run)
                        .isInstanceOf(DivergedException.class)
                        .hasMessageContaining("diverged at step")
                        .hasMessageContaining("try"));
    }

    /** The norm's squares overflow long before its elements do. */
    @Test
    void parametersWhoseNormAloneIsNotFiniteAreNotCalledInfinite() throws IOException {
        train(
                1e30,
                Double.POSITIVE_INFINITY,
                trainer -> assertThatThrownBy(trainer::run)
                        .isInstanceOf(DivergedException.class)
                        .hasMessageContaining("the parameters are finite, but so large that their norm is not"));
    }

    @Test
    void aRestartGoesBackAndTakesSmallerSteps() throws IOException {
        train(1e4, 50, trainer -> {
            trainer.run(() -> trainer.progress().step() == 20);
            trainer.saveTo(directory);
            assertThatThrownBy(trainer::run).isInstanceOf(DivergedException.class);
            trainer.restartFrom(directory, 1e-6);
            assertThat(trainer.progress().step()).isEqualTo(20);
            assertThat(trainer.progress().restarts()).isEqualTo(1);
            assertThat(trainer.progress().learningRateScale()).isEqualTo(1e-6);
            var last = trainer.run();
            assertThat(last.epoch()).isEqualTo(4);
            assertThat(last.learningRate()).isEqualTo(1e4 * 1e-6);
        });
    }

    @Test
    void theHistoryFollowsSlowGrowthAndNotABlowUp() {
        var history = NormHistory.NONE;
        for (int i = 0; i < 100; i++) {
            history = history.plus(1 + i % 3);
        }
        assertThat(history.largest()).isEqualTo(3);
        assertThat(history.isExceededBy(299, 100)).isFalse();
        assertThat(history.isExceededBy(301, 100)).isTrue();

        var slow = history;
        for (int i = 0; i < 700; i++) {
            double norm = 3 * Math.pow(1.01, i);
            assertThat(slow.isExceededBy(norm, 2)).isFalse();
            slow = slow.plus(norm);
        }
        int steps = 0;
        for (double norm = 3; !history.isExceededBy(norm, 100); norm *= 2) {
            history = history.plus(norm);
            steps++;
        }
        assertThat(steps).isLessThan(10);
    }

    @Test
    void theFirstNormsAreNotHeldAgainstOneAnother() {
        assertThat(NormHistory.NONE.plus(1e-6).isExceededBy(1e6, 100)).isFalse();
    }

    private interface Use {
        void of(Trainer trainer) throws IOException;
    }

    private static Network residualNetwork(RandomStreams streams) {
        return new ResidualNetwork(1, List.of(8, 16), 1, Quarters.CLASSES, streams);
    }

    private static Network perceptron(RandomStreams streams) {
        var widths = List.of(Quarters.SIZE * Quarters.SIZE, 16, 16, Quarters.CLASSES);
        return new MultilayerPerceptron(widths, MultilayerPerceptron.Activation.RELU, new Dropout(0), streams);
    }

    private static void train(double wildLearningRate, double factor, Use use) throws IOException {
        train(DivergenceTest::perceptron, wildLearningRate, factor, use);
    }

    private static void train(Function<RandomStreams, Network> network, double wildLearningRate, double factor, Use use)
            throws IOException {
        var streams = new RandomStreams(1);
        var images = Quarters.images(200, 1);
        try (var scope = Scope.open();
                var train = new Loader(images, LoaderOptions.training(16, Augmentation.NONE), streams);
                var test = new Loader(images, LoaderOptions.evaluation(100), streams)) {
            var plan = new TrainingPlan(
                    4,
                    Long.MAX_VALUE,
                    4,
                    () -> GradientScheme.gradientNormPenalty(0.05, 0.7),
                    new Classification(0),
                    PassOptions.l2(0),
                    () -> new Sgd(0, false),
                    Schedule.constant(0.05).then(CALM_STEPS, Schedule.constant(wildLearningRate)),
                    ClipByGlobalNorm.NEVER,
                    OptionalDouble.empty(),
                    factor,
                    OptionalInt.empty());
            var data = TrainingData.ofImages(train, test, Normalization.of(images));
            try (var trainer = new Trainer(network.apply(streams), plan, data, Device.CPU, streams, List.of())) {
                use.of(trainer);
            }
        }
    }
}
