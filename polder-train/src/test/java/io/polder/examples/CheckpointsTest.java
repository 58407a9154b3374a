package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.checkpoint.CheckpointStore;
import io.polder.checkpoint.RunLock;
import io.polder.models.ResidualNetwork;
import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/checkpoints.md, which {@link DocumentationTest} holds to what is here. */
class CheckpointsTest {
    @TempDir
    private Path folder;

    static void train(Path run, Network network, long steps) throws IOException {
        try (var lock = RunLock.take(run)) {
            var store = new CheckpointStore(run.resolve("checkpoints"), 2);
            long step = 0;
            var newest = store.newest(System.err::println);
            if (newest.isPresent()) {
                Weights.load(network, newest.get().file("weights.safetensors"));
                step = newest.get().step();
            }
            while (step < steps) {
                step++; // and train
                store.save(step, draft -> Weights.save(network, draft.resolve("weights.safetensors")));
            }
            store.markBest(step);
        }
    }

    @Test
    void theExampleOfTheDocumentationWorks() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        try (var scope = Scope.open()) {
            var first = network(1);
            train(run, first, 3);
            var second = network(2);
            train(run, second, 3);
            assertThat(run.resolve("checkpoints").toFile().list())
                    .containsExactlyInAnyOrder("step-000000002-save-2", "step-000000003-save-3", "best.txt");
            first.parametersByName()
                    .forEach((name, weight) -> assertThat(
                                    weight.equal(second.parametersByName().get(name)))
                            .as(name)
                            .isTrue());
        }
    }

    private static Network network(long seed) {
        return new ResidualNetwork(3, List.of(4, 8), 1, 2, new RandomStreams(seed));
    }
}
