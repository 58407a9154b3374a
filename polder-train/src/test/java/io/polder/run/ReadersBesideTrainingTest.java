package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.tensor.Device;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evaluate, predict and export while the run saves and deletes as fast as it can. */
class ReadersBesideTrainingTest {
    private static final int TRIES = 60;

    @TempDir
    private Path directory;

    @Test
    void noReaderFailsBecauseTheRunDeletesWhatItReads() throws Exception {
        Path run = directory.resolve("run");
        Path picture = directory.resolve("picture.png");
        ImageIO.write(new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY), "png", picture.toFile());
        var begun = new CountDownLatch(1);
        var observer = new TinyRun.Observer().after(1, begun::countDown);
        var thread = Executors.newSingleThreadExecutor();
        try {
            var training = CompletableFuture.supplyAsync(() -> train(run, observer), thread);
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            List<Long> steps = new ArrayList<>();
            for (int i = 0; i < TRIES; i++) {
                var which = RunDirectory.Which.values()[i % 2];
                Path weights = directory.resolve(i + ".safetensors");
                try (var network = TrainedNetwork.open(run, which, Device.CPU, ReadersBesideTrainingTest::fail)) {
                    steps.add(network.step());
                    network.predict(List.of(picture), 1);
                    if (i % 10 == 0) {
                        network.evaluate(Optional.empty(), Optional.empty());
                    }
                    network.export(weights);
                }
                assertThat(weights).isNotEmptyFile();
            }
            assertThat(training).as("it went on all the time").isNotDone();
            assertThat(steps.stream().distinct().count())
                    .as("it was another checkpoint most of the time")
                    .isGreaterThan(TRIES / 4);
            observer.stoppingAfter(0);
            assertThat(training.get(1, TimeUnit.MINUTES).status()).isEqualTo(RunInfo.Status.stopped);
            assertThat(observer.warnings).isEmpty();
        } finally {
            observer.stoppingAfter(0);
            thread.shutdown();
            assertThat(thread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void whatIsExportedIsTheFileOfTheCheckpoint() throws IOException {
        for (String average : List.of("null", "{decay: 0.9}")) {
            Path run = directory.resolve("run with " + average.length());
            Path weights = directory.resolve("weights.safetensors");
            TrainingRun.start(TinyRun.recipe("average=" + average), run, TinyRun.SETTINGS, new TinyRun.Observer());
            try (var network =
                    TrainedNetwork.open(run, RunDirectory.Which.NEWEST, Device.CPU, ReadersBesideTrainingTest::fail)) {
                network.export(weights);
            }
            Path saved = TinyRun.weights(run);
            assertThat(weights)
                    .hasSameBinaryContentAs(
                            average.equals("null") ? saved : saved.resolveSibling("average.safetensors"));
            Files.delete(weights);
        }
    }

    private static RunInfo train(Path run, RunObserver observer) {
        try {
            return TrainingRun.start(
                    TinyRun.recipe("epochs=100000", "checkpoint.everySteps=1", "checkpoint.keep=1"),
                    run,
                    TinyRun.SETTINGS,
                    observer);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void fail(String complaint) {
        throw new AssertionError(complaint);
    }
}
