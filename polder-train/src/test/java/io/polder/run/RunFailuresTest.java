package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.metrics.MetricsHistory;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong around a run while the training itself is well. */
class RunFailuresTest {
    @TempDir
    private Path directory;

    private Path run;
    private Path checkpoints;
    private Path aside;

    @BeforeEach
    void name() {
        run = directory.resolve("run");
        checkpoints = run.resolve("checkpoints");
        aside = directory.resolve("aside");
    }

    @Test
    void aDiskThatFailsForAWhileIsToldOfAndTheRunGoesOn() throws IOException {
        for (String average : new String[] {"null", "{decay: 0.9}"}) {
            run = directory.resolve("run with " + average.length());
            checkpoints = run.resolve("checkpoints");
            var observer = new TinyRun.Observer().after(5, this::breakTheDisk);
            RunObserver mending = new Mending(observer, 8);
            RunInfo info = TrainingRun.start(TinyRun.recipe("average=" + average), run, TinyRun.SETTINGS, mending);
            assertThat(info.status()).isEqualTo(RunInfo.Status.done);
            assertThat(observer.warnings)
                    .singleElement()
                    .asString()
                    .startsWith("cannot save step 6 in " + checkpoints)
                    .endsWith("the checkpoints of before are untouched");
            assertThat(Files.readString(run.resolve("metrics.jsonl")))
                    .contains("checkpoint failed")
                    .contains("cannot save step 6");
            assertThat(new RunDirectory(run)
                            .checkpoint(RunDirectory.Which.NEWEST, System.err::println)
                            .step())
                    .isEqualTo(16);
        }
    }

    @Test
    void aRunWhoseEndCannotBeSavedIsNotDone() throws IOException {
        run = directory.resolve("my run"); // the command that is offered can be pasted all the same
        checkpoints = run.resolve("checkpoints");
        var observer = new TinyRun.Observer().afterEpoch(2, this::breakTheDisk);
        assertThatThrownBy(() -> TrainingRun.start(TinyRun.recipe(), run, TinyRun.SETTINGS, observer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the training is done, but not saved")
                .hasMessageEndingWith("./polder resume '" + run + "'")
                .hasMessageNotContaining("\n");
        assertThat(new RunDirectory(run).info().status()).isEqualTo(RunInfo.Status.failed);
        mendTheDisk();
        var resumed = new TinyRun.Observer();
        assertThat(TrainingRun.resume(run, TinyRun.SETTINGS, resumed).status()).isEqualTo(RunInfo.Status.done);
        assertThat(resumed.steps).containsExactly(15L);

        Path whole = directory.resolve("whole");
        TrainingRun.start(TinyRun.recipe(), whole, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(TinyRun.weights(run)).hasSameBinaryContentAs(TinyRun.weights(whole));
    }

    @Test
    void anInterruptSavesTheRunAndLeavesItStopped() throws IOException {
        var observer =
                new TinyRun.Observer().after(4, () -> Thread.currentThread().interrupt());
        assertThatThrownBy(() -> TrainingRun.start(TinyRun.recipe(), run, TinyRun.SETTINGS, observer))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(observer.warnings).isEmpty();
        assertThat(new RunDirectory(run).info().status()).isEqualTo(RunInfo.Status.stopped);
        assertThat(new RunDirectory(run)
                        .checkpoint(RunDirectory.Which.NEWEST, System.err::println)
                        .step())
                .isEqualTo(4);
        TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer());
        Path whole = directory.resolve("whole");
        TrainingRun.start(TinyRun.recipe(), whole, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(TinyRun.weights(run)).hasSameBinaryContentAs(TinyRun.weights(whole));
    }

    @Test
    void aResumeWithOtherThreadsWarnsThatTheBitsMayDiffer() throws IOException {
        TrainingRun.start(TinyRun.recipe(), run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(2));
        var same = new TinyRun.Observer().stoppingAfter(1);
        TrainingRun.resume(run, TinyRun.SETTINGS, same);
        assertThat(same.warnings).isEmpty();
        var other = new TinyRun.Observer().stoppingAfter(1);
        TrainingRun.resume(run, TinyRun.settings(2, Optional.empty()), other);
        assertThat(other.warnings)
                .singleElement()
                .asString()
                .contains("2 threads instead of 1")
                .contains("bits may differ");
    }

    @Test
    void dataThatMovedIsFoundWhereTheResumeSaysAndFromThenOnThere() throws IOException {
        Path images = images("images", 4);
        var recipe = TinyRun.recipe(
                "data={name: image-folder, dir: " + images + ", batch: 2, evaluateOn: test, augment: none}",
                "model.image=16");
        TrainingRun.start(recipe, run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(1));
        assertThat(new RunDirectory(run).info().data()).isEqualTo(images.toString());
        Path moved = Files.move(images, directory.resolve("moved"));
        assertThatThrownBy(() -> TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(images.toString())
                .hasMessageNotContaining("\n");
        Path other = images("other", 5);
        assertThatThrownBy(
                        () -> TrainingRun.resume(run, TinyRun.settings(1, Optional.of(other)), new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("are not those that the run began with")
                .hasMessageNotContaining("\n");
        assertThat(new RunDirectory(run).info().status()).isEqualTo(RunInfo.Status.stopped);

        TrainingRun.resume(run, TinyRun.settings(1, Optional.of(moved)), new TinyRun.Observer().stoppingAfter(1));
        RunInfo info = TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(info.data()).isEqualTo(moved.toString());
        assertThat(MetricsHistory.read(run.resolve("metrics.jsonl")).epochs()).hasSize(2);
    }

    /** Two classes, so many pictures of each for training and one for testing. */
    private Path images(String name, int count) throws IOException {
        Path folder = directory.resolve(name);
        for (String kind : new String[] {"cat", "dog"}) {
            for (int i = 0; i <= count; i++) {
                Path file =
                        folder.resolve(i == 0 ? "test" : "train").resolve(kind).resolve(i + ".png");
                Files.createDirectories(file.getParent());
                var picture = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
                picture.setRGB(i, i, kind.equals("cat") ? 0xff8000 : 0x0080ff);
                ImageIO.write(picture, "png", file.toFile());
            }
        }
        return folder;
    }

    private void breakTheDisk() throws IOException {
        Files.move(checkpoints, aside);
        Files.writeString(checkpoints, "in the way");
    }

    private void mendTheDisk() throws IOException {
        Files.delete(checkpoints);
        Files.move(aside, checkpoints);
    }

    /** Puts the disk right again after so many steps. */
    private final class Mending implements RunObserver {
        private final TinyRun.Observer observer;
        private final int steps;
        private boolean mended;

        Mending(TinyRun.Observer observer, int steps) {
            this.observer = observer;
            this.steps = steps;
        }

        @Override
        public java.util.List<io.polder.train.TrainingListener> listeners(RunInfo info, io.polder.train.Progress from) {
            return observer.listeners(info, from);
        }

        @Override
        public void warn(String sentence) {
            observer.warn(sentence);
        }

        @Override
        public boolean stopRequested() {
            if (observer.steps.size() == steps && !mended) {
                mended = true;
                try {
                    mendTheDisk();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            return false;
        }
    }
}
