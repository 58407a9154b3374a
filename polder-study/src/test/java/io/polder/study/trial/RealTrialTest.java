package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.recipe.Recipe;
import io.polder.recipe.Recipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials that train a network in processes of their own. */
@Timeout(600)
class RealTrialTest {
    @TempDir
    Path folder;

    private static Recipe recipe(String... more) {
        List<String> overrides = new ArrayList<>(List.of(
                "epochs=4", "data.images=128", "data.evaluateOn=validation", "data.validation=64", "evaluateEvery=1"));
        overrides.addAll(List.of(more));
        return Recipes.read("quick-fashion", overrides);
    }

    private TrialTask task(Recipe recipe, String store) {
        return new TrialTask(
                recipe.hash(), recipe.toYaml(), folder.resolve(store).toString(), "", "", 1, "cpu", 1);
    }

    private static TrialEnd run(TrialTask task) throws IOException, InterruptedException {
        try (var process = TrialProcess.start(task, TrialCommand.likeThisProcess())) {
            return process.waitFor();
        }
    }

    private static Optional<TrialOutcome> outcome(TrialTask task) {
        return TrialStore.read(task.directory(), RealTrialTest::fail);
    }

    private static void fail(String complaint) {
        throw new AssertionError(complaint);
    }

    @Test
    void aTrialThatIsKilledAndOneThatIsStoppedEndInTheSameNumbers() throws Exception {
        Recipe recipe = recipe();
        TrialTask undisturbed = task(recipe, "undisturbed");
        assertThat(run(undisturbed).kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        TrialOutcome expected = outcome(undisturbed).orElseThrow();
        assertThat(expected.status()).isEqualTo(TrialOutcome.Status.DONE);
        assertThat(expected.epochs()).isEqualTo(4);
        assertThat(expected.evaluatedOn()).isEqualTo(TrialOutcome.VALIDATION);
        assertThat(undisturbed.directory().resolve("checkpoints"))
                .as("of a search trial")
                .doesNotExist();

        TrialTask disturbed = task(recipe, "disturbed");
        try (var process = TrialProcess.start(disturbed, TrialCommand.likeThisProcess())) {
            awaitEpochs(disturbed, 1);
            ProcessHandle.of(process.pid()).orElseThrow().destroyForcibly();
            assertThat(process.waitFor().kind()).isEqualTo(TrialEnd.Kind.OUT_OF_MEMORY);
        }
        try (var process = TrialProcess.start(disturbed, TrialCommand.likeThisProcess())) {
            awaitEpochs(disturbed, 2);
            process.stop();
            assertThat(process.waitFor().kind()).isIn(TrialEnd.Kind.STOPPED, TrialEnd.Kind.FINISHED);
        }
        assertThat(run(disturbed).kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        TrialOutcome outcome = outcome(disturbed).orElseThrow();
        assertThat(outcome.curve()).isEqualTo(expected.curve());
        assertThat(outcome.last()).isEqualTo(expected.last());
        assertThat(outcome.attempts()).isGreaterThanOrEqualTo(2);
    }

    /** Until the trial has recorded so many epochs. */
    private static void awaitEpochs(TrialTask task, int epochs) throws Exception {
        Path metrics = task.directory().resolve("metrics.jsonl");
        while (!Files.exists(task.directory().resolve("outcome.json"))
                && (!Files.exists(metrics)
                        || Files.readString(metrics)
                                        .lines()
                                        .filter(line -> line.contains("\"kind\":\"epoch\""))
                                        .count()
                                < epochs)) {
            Thread.sleep(5);
        }
    }

    @Test
    void aTrialThatDivergesIsAResult() throws Exception {
        TrialTask task = task(recipe("learningRate.base=1e30"), "store");
        assertThat(run(task).kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        TrialOutcome outcome = outcome(task).orElseThrow();
        assertThat(outcome.status()).isEqualTo(TrialOutcome.Status.DIVERGED);
        assertThat(outcome.reason()).startsWith("the training diverged at");
    }

    @Test
    void aTrialWhoseDataIsNotThereSaysSo() throws Exception {
        Recipe recipe = recipe("data.name=mnist", "data.dir=nowhere");
        TrialEnd end = run(task(recipe, "store"));
        assertThat(end.kind()).isEqualTo(TrialEnd.Kind.REFUSED);
        assertThat(end.detail()).contains("nowhere");
    }
}
