package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.config.ConfigException;
import io.polder.recipe.Recipe;
import io.polder.run.TinyRun.Observer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of runs whose weights do not move: once running statistics have settled, no evaluation is better than those before it. */
class EarlyStoppingTest {
    private static final int PATIENCE = 3;
    private static final String[] STANDS_STILL = {
        "epochs=200", "learningRate.base=1.0e-30", "checkpoint.everySteps=5", "earlyStopping.patience=" + PATIENCE
    };

    @TempDir
    private Path directory;

    @Test
    void aRunThatGetsNoBetterEndsPatienceEpochsAfterItsBestAndSaysWhy() throws IOException {
        RunInfo info = TrainingRun.start(recipe(STANDS_STILL), directory, SETTINGS, new Observer());
        int ended = info.result().epochs();
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(ended).isLessThan(200).isEqualTo(info.result().bestEpoch() + PATIENCE);
        assertThat(info.stoppedEarly())
                .startsWith("after epoch " + ended + " of 200: the validation error has been no better than ")
                .endsWith(" % since epoch " + info.result().bestEpoch() + " (earlyStopping.patience: 3)");
        assertThat(new RunDirectory(directory).info().stoppedEarly()).isEqualTo(info.stoppedEarly());
        assertThat(Files.readString(directory.resolve("metrics.jsonl")))
                .contains("\"stopped early\"", info.stoppedEarly());

        var again = new Observer();
        assertThat(TrainingRun.resume(directory, SETTINGS, again).stoppedEarly())
                .isEqualTo(info.stoppedEarly());
        assertThat(again.steps).isEmpty();
    }

    @Test
    void aStoppedRunGoesOnToTheSameEarlyEnd() throws IOException {
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        RunInfo expected = TrainingRun.start(recipe(STANDS_STILL), whole, SETTINGS, new Observer());
        int inTheWait = 8 * (expected.result().epochs() - 1) + 3;
        TrainingRun.start(recipe(STANDS_STILL), parts, SETTINGS, new Observer().stoppingAfter(inTheWait));
        assertThat(new RunDirectory(parts).info().stoppedEarly()).isNull();
        RunInfo resumed = TrainingRun.resume(parts, SETTINGS, new Observer());
        assertThat(resumed.stoppedEarly()).isEqualTo(expected.stoppedEarly());
        assertThat(resumed.result().figures()).isEqualTo(expected.result().figures());
        assertThat(Files.mismatch(weights(parts), weights(whole))).isEqualTo(-1);
    }

    @Test
    void replicasEndTogether() throws IOException {
        Recipe two = recipe(
                "epochs=200", "learningRate.base=1.0e-30", "replicas=2", "earlyStopping.patience=2", "evaluateEvery=2");
        RunInfo info = TrainingRun.start(two, directory, SETTINGS, new Observer());
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(info.stoppedEarly()).isNotNull();
        assertThat(info.result().epochs() % 2).as("ends with an evaluation").isZero();
        assertThat(info.result().epochs()).isEqualTo(info.result().bestEpoch() + 2);
    }

    @Test
    void aRunThatReachesItsEndDidNotStopEarly() throws IOException {
        RunInfo info = TrainingRun.start(
                recipe("earlyStopping.patience=2", "learningRate.base=1.0e-30"), directory, SETTINGS, new Observer());
        assertThat(info.result().epochs()).isEqualTo(2);
        assertThat(info.stoppedEarly()).isNull();
        assertThat(Files.readString(new RunDirectory(directory).infoFile())).doesNotContain("stoppedEarly");
    }

    @Test
    void noRunEndsByItsTestImages() {
        assertThatThrownBy(() -> recipe("earlyStopping.patience=1", "data.evaluateOn=test"))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.mistakes())
                                .isEqualTo(List.of(
                                        "-s: earlyStopping: is given with evaluateOn: test; a run that ends when the test images like it"
                                                + " best is chosen by them, so it needs data.evaluateOn: validation")));
        assertThatThrownBy(() -> recipe("earlyStopping={patience: 3}"))
                .hasMessageContaining("earlyStopping.patience: takes 3.0 epochs, longer than the run of 2");
        assertThatThrownBy(() -> recipe("earlyStopping={}")).hasMessageContaining("earlyStopping.patience: is missing");
    }
}
