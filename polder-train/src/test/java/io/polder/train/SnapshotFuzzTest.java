package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import io.polder.models.ResidualNetwork;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of a state, damaged behind the back of the checkpoint that vouches for them: a state, or one sentence that names the
 * file and leaves the network as it was.
 */
@Tag("slow")
class SnapshotFuzzTest {
    @TempDir
    private Path directory;

    @Test
    void whereARunStands() throws Exception {
        Path file = directory.resolve("progress.json");
        var sums = new EpochSums(3, 48, 5.5, Map.of("error", 12.0), 3.3, 20, 0.1);
        new Progress(203, 2, 3, sums, new NormHistory(203, 2.5), 0.5, 1, new Progress.Best(2, 0.25)).write(file);
        Fuzz.of("progress.json", Files.readAllBytes(file)).naming(file).run(bytes -> {
            Progress progress = Progress.read(Files.write(file, bytes));
            // What every user of it takes for granted.
            assertThat(progress).isNotNull();
            assertThat(progress.sums()).isNotNull();
            assertThat(progress.norms()).isNotNull();
            assertThat(progress.step()).isNotNegative();
            assertThat(progress.epoch()).isNotNegative();
            assertThat(progress.batch()).isNotNegative();
            return progress;
        });
    }

    @Test
    void whatAnOptimizerRemembers() throws Exception {
        var snapshot = new Snapshot(directory);
        Path file = directory.resolve("optimizer.safetensors");
        try (var scope = Scope.open()) {
            var network = new ResidualNetwork(1, List.of(2), 1, 3, new RandomStreams(1));
            var parameters = FlatParameters.of(network.parametersByName());
            var optimizer = new Sgd(0.9, true);
            snapshot.write(
                    network,
                    parameters,
                    GradientScheme.standard(),
                    optimizer,
                    Optional.empty(),
                    Progress.START,
                    List.of());
            byte[] good = Files.readAllBytes(file);
            Fuzz.of("optimizer.safetensors", good).oneCaseOf(2).naming(file).run(bytes -> {
                Files.write(file, bytes);
                try (var inner = Scope.withoutGradient()) {
                    return snapshot.read(
                            network,
                            parameters,
                            GradientScheme.standard(),
                            optimizer,
                            Optional.empty(),
                            Workers.alone());
                }
            });
        }
    }
}
