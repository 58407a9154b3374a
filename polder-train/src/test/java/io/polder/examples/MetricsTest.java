package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import io.polder.data.Normalization;
import io.polder.data.augment.Augmentation;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.loss.PassOptions;
import io.polder.metrics.MetricsHistory;
import io.polder.metrics.MetricsLog;
import io.polder.metrics.RunRecord;
import io.polder.metrics.TensorBoardEvents;
import io.polder.models.ResidualNetwork;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Classification;
import io.polder.train.EpochMetrics;
import io.polder.train.Trainer;
import io.polder.train.TrainingData;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/watch.md, which {@link DocumentationTest} holds to what is here. */
class MetricsTest {
    @TempDir
    private Path directory;

    @Test
    void aTrainingOfOnesOwnIsRecorded() throws IOException {
        var streams = new RandomStreams(1);
        byte[] pixels = new byte[120 * 64];
        streams.random("pixels").nextBytes(pixels);
        int[] labels = streams.random("labels").ints(120, 0, 7).toArray();
        var images = new ImagesInMemory(new ImageShape(1, 8, 8), 7, pixels, labels);
        try (var scope = Scope.open();
                var train = new Loader(images, LoaderOptions.training(20, Augmentation.NONE), streams);
                var test = new Loader(images, LoaderOptions.evaluation(50), streams)) {
            var network = new ResidualNetwork(1, List.of(8), 1, 7, streams);
            var plan = new TrainingPlan(
                    3,
                    2,
                    () -> GradientScheme.gradientNormPenalty(0.1, 0.8),
                    new Classification(0),
                    PassOptions.l2(1e-3),
                    () -> new Sgd(0.9, true),
                    Schedule.constant(0.01),
                    new ClipByGlobalNorm(5));
            var data = TrainingData.ofImages(train, test, Normalization.of(images));
            EpochMetrics last;

            long every = MetricsLog.everyFor(train.batchesPerEpoch());
            try (var log = MetricsLog.create(directory.resolve("metrics.jsonl"), every, System.err::println);
                    var events = TensorBoardEvents.create(directory, every, System.err::println);
                    var trainer = new Trainer(network, plan, data, Device.CPU, streams, List.of(log, events))) {
                last = trainer.run();
            }

            MetricsHistory history = MetricsHistory.read(directory.resolve("metrics.jsonl"));
            assertThat(history.steps())
                    .extracting(step -> step.metrics().step())
                    .hasSize(18)
                    .endsWith(17L);
            assertThat(history.epochs()).extracting(RunRecord.Epoch::step).containsExactly(6L, 12L, 18L);
            assertThat(history.epochs().get(0).metrics().test()).isEmpty();
            assertThat(history.epochs().get(2).metrics()).isEqualTo(last);
            assertThat(last.test().orElseThrow().figure("top5Error"))
                    .isBetween(0.0, last.test().orElseThrow().figure("error"));
        }
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString().replaceAll("\\d+", "N")))
                    .containsExactlyInAnyOrder("metrics.jsonl", "events.out.tfevents.N.polder");
        }
    }
}
