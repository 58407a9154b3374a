package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.recipe.Recipe;
import io.polder.recipe.Recipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LocalExecutorTest {
    @TempDir
    Path store;

    private TrialTask task(int seed) {
        Recipe recipe = Recipes.read("quick-fashion", List.of("seed=" + seed, "epochs=3"));
        return new TrialTask(recipe.hash(), recipe.toYaml(), store.toString(), "", "", 1, "cpu", 1);
    }

    @Test
    void aTrialWhoseStartCannotBeToldIsStoppedAndStopsNoOther() throws Exception {
        Files.writeString(store.resolve("behaviour"), "pace=50");
        try (var executor = new LocalExecutor(StubTrial.command(), 1, 1)) {
            var broken = executor.submit(task(1), () -> {
                throw new IllegalStateException("nobody listens");
            });
            var next = executor.submit(task(2), () -> {});
            assertThatThrownBy(broken::join).hasRootCauseMessage("nobody listens");
            assertThat(next.join().kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        }
        assertThat(trials()).isZero();
    }

    /** Trials that were alive whenever one started. */
    private List<Long> sideBySide(long memory) throws IOException {
        Files.writeString(store.resolve("behaviour"), "pace=100");
        var counts = new ConcurrentLinkedQueue<Long>();
        try (var executor = new LocalExecutor(StubTrial.command(), 3, 1, () -> OptionalLong.of(memory))) {
            List<CompletableFuture<TrialEnd>> ends = new ArrayList<>();
            for (int seed = 1; seed <= 4; seed++) {
                ends.add(executor.submit(task(seed), () -> counts.add(trials())));
            }
            ends.forEach(end -> assertThat(end.join().kind()).isEqualTo(TrialEnd.Kind.FINISHED));
        }
        return List.copyOf(counts);
    }

    @Test
    void whereMemoryHoldsOneTrialTheyRunOneAfterAnother() throws IOException {
        assertThat(sideBySide(40L << 20)).containsOnly(1L).hasSize(4);
    }

    @Test
    void whereMemoryHoldsThemTrialsRunSideBySide() throws IOException {
        assertThat(sideBySide(64L << 30)).contains(3L).hasSize(4);
    }

    /** Processes of this one that run a trial. */
    private static long trials() {
        return ProcessHandle.current()
                .children()
                .flatMap(child -> child.info().arguments().stream())
                .filter(words -> List.of(words).contains(StubTrial.class.getName()))
                .count();
    }
}
