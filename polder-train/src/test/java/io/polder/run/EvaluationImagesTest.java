package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.metrics.MetricsHistory;
import io.polder.run.TinyRun.Observer;
import io.polder.train.Evaluation;
import io.polder.train.Progress;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evaluations of some of the images, and the last of all 40. */
class EvaluationImagesTest {
    @TempDir
    private Path directory;

    private static List<Evaluation> evaluations(Path run) throws IOException {
        return MetricsHistory.read(run.resolve("metrics.jsonl")).epochs().stream()
                .map(epoch -> epoch.metrics().test().orElseThrow())
                .toList();
    }

    @Test
    void onlyTheLastEvaluationIsOfAllImagesAndTheWeightsAreTheSame() throws IOException {
        Path all = directory.resolve("all");
        Path some = directory.resolve("some");
        TrainingRun.start(recipe("epochs=3"), all, SETTINGS, new Observer());
        RunInfo info =
                TrainingRun.start(recipe("epochs=3", "data.evaluationImages=10"), some, SETTINGS, new Observer());
        assertThat(evaluations(some)).extracting(Evaluation::examples).containsExactly(10L, 10L, 40L);
        assertThat(evaluations(some).get(2)).isEqualTo(evaluations(all).get(2));
        assertThat(info.result().figures().get("error"))
                .isEqualTo(evaluations(all).get(2).figure("error"));
        assertThat(10 * info.result().figures().get("bestError"))
                .as("an error of ten images, also where the last epoch is the best")
                .isEqualTo(Math.rint(10 * info.result().figures().get("bestError")));
        assertThat(info.images().testImages()).isEqualTo(40);
        assertThat(Files.mismatch(weights(some), weights(all))).isEqualTo(-1);
    }

    @Test
    void replicasAndResumedRunsJudgeByTheSameImages() throws IOException {
        String[] overrides = {"epochs=3", "data.evaluationImages=10", "replicas=2", "data.evaluationBatch=4"};
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        TrainingRun.start(recipe(overrides), whole, SETTINGS, new Observer());
        TrainingRun.start(recipe(overrides), parts, SETTINGS, new Observer().stoppingAfter(10));
        TrainingRun.resume(parts, SETTINGS, new Observer());
        assertThat(evaluations(parts)).isEqualTo(evaluations(whole));
    }

    @Test
    void aRunThatStopsEarlyEndsWithAllImagesToo() throws IOException {
        RunInfo info = TrainingRun.start(
                recipe(
                        "epochs=200",
                        "learningRate.base=1.0e-30",
                        "earlyStopping.patience=2",
                        "data.evaluationImages=10"),
                directory,
                SETTINGS,
                new Observer());
        List<Evaluation> evaluations = evaluations(directory);
        assertThat(info.stoppedEarly()).isNotNull();
        assertThat(evaluations.get(evaluations.size() - 1).examples()).isEqualTo(40);
        assertThat(evaluations.get(evaluations.size() - 2).examples()).isEqualTo(10);
    }

    @Test
    void moreThanThereAreIsAll() throws IOException {
        TrainingRun.start(recipe("data.evaluationImages=5000"), directory, SETTINGS, new Observer());
        assertThat(evaluations(directory)).extracting(Evaluation::examples).containsOnly(40L);
        assertThatThrownBy(() -> recipe("data.evaluationImages=0"))
                .hasMessageContaining("data.evaluationImages: is \"0\"; it must be a whole number of at least 1");
    }

    /** What a bar is drawn by. */
    @Test
    void listenersHearHowAnEvaluationGetsOn() throws IOException {
        List<String> heard = new ArrayList<>();
        TrainingRun.start(recipe("epochs=1", "data.evaluationBatch=16"), directory, SETTINGS, new RunObserver() {
            @Override
            public List<TrainingListener> listeners(RunInfo info, Progress from) {
                return List.of(new TrainingListener() {
                    @Override
                    public void onEvaluation(int done, int all) {
                        heard.add(done + "/" + all);
                    }
                });
            }
        });
        assertThat(heard).containsExactly("1/3", "2/3", "3/3");
    }
}
