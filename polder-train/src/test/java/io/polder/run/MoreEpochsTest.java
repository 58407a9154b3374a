package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.files.Sha256;
import io.polder.metrics.MetricsHistory;
import io.polder.run.TinyRun.Observer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run goes on for more epochs in another. */
class MoreEpochsTest {
    @TempDir
    private Path directory;

    private Path shorter;
    private Path longer;

    @BeforeEach
    void name() {
        shorter = directory.resolve("shorter");
        longer = directory.resolve("longer");
    }

    private static Map<String, String> contents(Path run) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (var files = Files.walk(run)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(run.relativize(file).toString(), Sha256.of(file) + Files.getLastModifiedTime(file));
            }
        }
        return contents;
    }

    /** At a constant rate, where the longer recipe does not want other steps at first. */
    @Test
    void itEndsAsIfItHadBeenLongerFromTheStartAndTheOldRunStaysAsItIs() throws IOException {
        String[] method = {"replicas=2", "scheme=friendly-sam", "scheme.r=0.05", "average={}"};
        RunInfo before = TrainingRun.start(recipe(method), shorter, SETTINGS, new Observer());
        Map<String, String> old = contents(shorter);
        RunInfo info = TrainingRun.extend(shorter, 4, longer, SETTINGS, new Observer());
        assertThat(contents(shorter)).isEqualTo(old);

        Path whole = directory.resolve("whole");
        String[] four = {"replicas=2", "scheme=friendly-sam", "scheme.r=0.05", "average={}", "epochs=4"};
        RunInfo expected = TrainingRun.start(recipe(four), whole, SETTINGS, new Observer());
        for (String file : new String[] {
            "weights.safetensors", "average.safetensors", "optimizer.safetensors", "scheme.safetensors", "progress.json"
        }) {
            assertThat(Files.mismatch(
                            weights(longer).resolveSibling(file), weights(whole).resolveSibling(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(info.result().figures()).isEqualTo(expected.result().figures());
        assertThat(info.result().bestEpoch()).isEqualTo(expected.result().bestEpoch());
        assertThat(info.recipeHash()).isEqualTo(expected.recipeHash());
        assertThat(info.continues())
                .isEqualTo(new RunInfo.Continued(shorter.toAbsolutePath().toString(), before.recipeHash(), 2, 16));
        assertThat(new RunDirectory(longer).info().continues()).isEqualTo(info.continues());
        assertThat(MetricsHistory.read(longer.resolve("metrics.jsonl")).epochs())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields(
                        "time", "metrics.seconds", "metrics.imagesPerSecond")
                .isEqualTo(MetricsHistory.read(whole.resolve("metrics.jsonl")).epochs());
    }

    @Test
    void itSaysWhatBecomesOfTheLearningRateAndCanItselfBeStoppedAndResumed() throws IOException {
        String cosine = "learningRate={schedule: cosine, base: 0.1}";
        TrainingRun.start(recipe(cosine), shorter, SETTINGS, new Observer().stoppingAfter(13));
        Path whole = directory.resolve("whole");
        TrainingRun.extend(shorter, 4, whole, SETTINGS, new Observer());

        var observer = new Observer().stoppingAfter(5);
        TrainingRun.extend(shorter, 4, longer, SETTINGS, observer);
        assertThat(observer.steps).first().isEqualTo(13L);
        assertThat(observer.warnings)
                .singleElement()
                .isEqualTo(shorter
                        + " goes on from step 13 for 4 epochs instead of 2; schedules are those of a run of 4 epochs"
                        + " from its start: the learning rate was 0.01464 and is 0.06451 now");
        TrainingRun.resume(longer, SETTINGS, new Observer());
        assertThat(Files.mismatch(weights(longer), weights(whole))).isEqualTo(-1);
        assertThat(Files.readString(longer.resolve("metrics.jsonl"))).contains("\"continued\"");
    }

    @Test
    void theBestEpochIsStillTheBest() throws IOException {
        TrainingRun.start(recipe("learningRate.base=0.05"), shorter, SETTINGS, new Observer());
        Path best = new RunDirectory(shorter)
                .checkpoint(RunDirectory.Which.BEST, System.err::println)
                .directory();
        TrainingRun.extend(shorter, 3, longer, SETTINGS, new Observer().stoppingAfter(0));
        Path kept = new RunDirectory(longer)
                .checkpoint(RunDirectory.Which.BEST, System.err::println)
                .directory();
        assertThat(Files.mismatch(best.resolve("weights.safetensors"), kept.resolve("weights.safetensors")))
                .isEqualTo(-1);
    }

    @Test
    void whatCannotGoOnIsRefused() throws IOException {
        TrainingRun.start(recipe("epochs=1"), shorter, SETTINGS, new Observer());
        assertThatThrownBy(() -> TrainingRun.extend(shorter, 1, longer, SETTINGS, new Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("epochs is 1: it must be more than " + shorter + " has, which is 1");
        assertThatThrownBy(() -> TrainingRun.extend(shorter, 2, shorter, SETTINGS, new Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds a run already");
        Path steps = directory.resolve("steps");
        TrainingRun.start(recipe("steps=3"), steps, SETTINGS, new Observer());
        assertThatThrownBy(() -> TrainingRun.extend(steps, 2, longer, SETTINGS, new Observer()))
                .hasMessageContaining("counts steps");
        assertThat(longer).doesNotExist();
    }

    /** One that was killed before the copy was there has no beginning that it could be trained from. */
    @Test
    void aContinuedRunWithoutACheckpointIsNotTrainedFromTheStart() throws IOException {
        TrainingRun.start(recipe("epochs=1"), shorter, SETTINGS, new Observer());
        TrainingRun.extend(shorter, 2, longer, SETTINGS, new Observer().stoppingAfter(0));
        try (var files = Files.walk(longer.resolve("checkpoints"))) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
        Files.delete(longer.resolve("metrics.jsonl"));
        assertThatThrownBy(() -> TrainingRun.resume(longer, SETTINGS, new Observer()))
                .isInstanceOf(DamagedRunException.class)
                .hasMessageContaining("has no checkpoint that is whole");
    }
}
