package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.distributed.Rendezvous;
import io.polder.metrics.MetricsHistory;
import io.polder.recipe.Recipe;
import io.polder.run.TinyRun.Observer;
import io.polder.train.DivergedException;
import io.polder.train.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of several workers: threads of one process, or whoever is at a rendezvous. */
@Timeout(180)
class ReplicasTest {
    private static final String[] TWO = {"replicas=2", "scheme=friendly-sam", "scheme.r=0.05"};

    @TempDir
    private Path directory;

    private static void assertSameState(Path actual, Path expected) throws IOException {
        Path one = weights(actual).getParent();
        Path other = weights(expected).getParent();
        try (var files = Files.list(other)) {
            for (Path file :
                    files.filter(each -> !each.endsWith("progress.json")).toList()) {
                assertThat(Files.mismatch(one.resolve(file.getFileName()), file))
                        .as(file.getFileName().toString())
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void replicasTrainOneRunAndItsRecordSaysWhatTheyExchanged() throws IOException {
        RunInfo info = TrainingRun.start(recipe(TWO), directory, SETTINGS, new Observer());
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(weights(directory).resolveSibling("worker-1.safetensors")).exists();
        assertThat(MetricsHistory.read(directory.resolve("metrics.jsonl")).steps())
                .isNotEmpty()
                .allSatisfy(step ->
                        assertThat(step.metrics().figure("sentBytes")).isEqualTo(Float.BYTES * info.parameters()));
    }

    @Test
    void stoppedReplicasGoOnToTheSameBits() throws IOException {
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        RunInfo expected = TrainingRun.start(recipe(TWO), whole, SETTINGS, new Observer());
        RunInfo stopped = TrainingRun.start(recipe(TWO), parts, SETTINGS, new Observer().stoppingAfter(5));
        assertThat(stopped.status()).isEqualTo(RunInfo.Status.stopped);
        RunInfo resumed = TrainingRun.resume(parts, SETTINGS, new Observer());
        assertThat(resumed.result().figures()).isEqualTo(expected.result().figures());
        assertSameState(parts, whole);
    }

    @Test
    void whereNoBitsOfReplicasDifferARunOfOneIsAsItWas() throws IOException {
        Path one = directory.resolve("one");
        TrainingRun.start(recipe("replicas=1"), one, SETTINGS, new Observer());
        assertThat(weights(one).resolveSibling("worker-0.safetensors")).doesNotExist();
    }

    @Test
    void replicasThatDivergeGoBackTogether() throws IOException {
        RunInfo info = TrainingRun.start(
                recipe(
                        "replicas=2",
                        "learningRate.base=1.0e30",
                        "optimizer.clip=null",
                        "onDivergence.action=restore",
                        "onDivergence.restarts=2",
                        "onDivergence.learningRateFactor=1.0e-16"),
                directory.resolve("calm"),
                SETTINGS,
                new Observer());
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(info.result().restarts()).isEqualTo(2);

        assertThatThrownBy(() -> TrainingRun.start(
                        recipe("replicas=2", "learningRate.base=1.0e30", "optimizer.clip=null"),
                        directory.resolve("wild"),
                        SETTINGS,
                        new Observer()))
                .isInstanceOf(DivergedException.class);
        assertThat(new RunDirectory(directory.resolve("wild")).info().status()).isEqualTo(RunInfo.Status.diverged);
    }

    /** What several processes do, here by threads: rank 0 with the run's directory, the others with nothing but a rendezvous. */
    private static List<Future<RunInfo>> play(
            Path meeting, List<Optional<Recipe>> recipes, Path run, boolean resumes, RunObserver observer)
            throws Exception {
        var threads = Executors.newFixedThreadPool(recipes.size());
        try {
            List<Callable<RunInfo>> workers = new ArrayList<>();
            for (int rank = 0; rank < recipes.size(); rank++) {
                var place = Rendezvous.inFile(rank, recipes.size(), meeting, Duration.ofSeconds(30));
                RunSettings settings = SETTINGS.withRendezvous(Optional.of(place));
                Optional<Recipe> recipe = recipes.get(rank);
                if (rank > 0) {
                    workers.add(() -> {
                        Follower.run(recipe, settings, new Observer());
                        return null;
                    });
                } else if (resumes) {
                    workers.add(() -> TrainingRun.resume(run, settings, observer));
                } else {
                    workers.add(() -> TrainingRun.start(recipe.orElseThrow(), run, settings, observer));
                }
            }
            return threads.invokeAll(workers);
        } finally {
            threads.shutdown();
        }
    }

    private static String failure(Future<?> worker) throws InterruptedException {
        try {
            return "none, but " + worker.get();
        } catch (ExecutionException e) {
            return e.getCause().getMessage();
        }
    }

    @Test
    void workersAtARendezvousAreReplicasToTheBit() throws Exception {
        Path here = directory.resolve("here");
        Path there = directory.resolve("there");
        TrainingRun.start(recipe(TWO), here, SETTINGS, new Observer());
        Optional<Recipe> same = Optional.of(recipe(TWO));
        for (Future<RunInfo> each :
                play(directory.resolve("meeting"), List.of(same, same), there, false, new Observer())) {
            each.get();
        }
        assertSameState(there, here);
        // A run that is done stays as it is, and nobody waits for it.
        for (Future<RunInfo> each : play(
                directory.resolve("again"), List.of(Optional.empty(), Optional.empty()), there, true, new Observer())) {
            each.get();
        }
    }

    @Test
    void anotherNumberOfWorkersGoesOnAndIsWarned() throws Exception {
        Path run = directory.resolve("run");
        TrainingRun.start(recipe("replicas=2"), run, SETTINGS, new Observer().stoppingAfter(5));
        var observer = new Observer();
        Optional<Recipe> none = Optional.empty();
        List<Future<RunInfo>> workers =
                play(directory.resolve("meeting"), List.of(none, none, none, none), run, true, observer);
        assertThat(workers.get(0).get().status()).isEqualTo(RunInfo.Status.done);
        assertThat(observer.warnings).anyMatch(warning -> warning.contains("4 workers instead of 2"));
        assertThat(new Snapshot(weights(run).getParent()).readProgress().step()).isEqualTo(16);
    }

    @Test
    void aWorkerWithAnotherRecipeIsFoundBeforeTheFirstStep() throws Exception {
        Path run = directory.resolve("run");
        List<Future<RunInfo>> workers = play(
                directory.resolve("meeting"),
                List.of(Optional.of(recipe(TWO)), Optional.of(recipe("replicas=2", "seed=7"))),
                run,
                false,
                new Observer());
        for (Future<RunInfo> each : workers) {
            assertThat(failure(each)).startsWith("rank 1 has another recipe than rank 0");
        }
        assertThat(run).doesNotExist();
    }

    @Test
    void whatCannotBeSharedIsRefusedBeforeAnythingIsMade() {
        Path run = directory.resolve("run");
        String[] parts = {
            "replicas=2", "scheme=sam", "scheme.r=0.1", "scheme.syncPerturbation=true", "scheme.ascentShare=0.5"
        };
        assertThatThrownBy(() -> TrainingRun.start(recipe(parts), run, SETTINGS, new Observer()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("scheme.syncPerturbation is true and the first gradient is that of a part");
        for (String scheme : List.of("scheme=esam scheme.r=0.1", "scheme=sam scheme.r=0.1 scheme.ascentShare=0.5")) {
            String[] looking = ("replicas=2 syncBatchNorm=true " + scheme).split(" ");
            assertThatThrownBy(() -> TrainingRun.start(recipe(looking), run, SETTINGS, new Observer()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(" looks at a part of the batch, or at second derivatives: ");
        }
        var place = Rendezvous.inFile(0, 4, directory.resolve("meeting"), Duration.ofSeconds(1));
        assertThatThrownBy(() -> TrainingRun.start(
                        recipe("replicas=2"), run, SETTINGS.withRendezvous(Optional.of(place)), new Observer()))
                .hasMessageStartingWith("replicas is 2 and there are 4 workers");
        assertThat(run).doesNotExist();
    }
}
