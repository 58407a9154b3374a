package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.models.ResidualNetwork;
import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/weights.md, which {@link DocumentationTest} holds to what is here. */
class WeightsTest {
    @TempDir
    private Path folder;

    static void saveAndLoad(Network network, Network other, Path file) throws IOException {
        Weights.save(network, file);
        Weights.load(other, file);
    }

    static Network fineTuned(Path file, RandomStreams streams) throws IOException {
        var network = new ResidualNetwork(3, List.of(16, 32, 64), 1, 5, streams);
        Weights.loadExceptHead(network, file, "head");
        return network;
    }

    /** Renames what a file has, such as another project's names. */
    static void rename(Path theirs, Path ours) throws IOException {
        Map<String, Tensor> renamed = new LinkedHashMap<>();
        try (var scope = Scope.open();
                var file = SafeTensors.open(theirs)) {
            for (String name : file.entries().keySet()) {
                renamed.put(name.replaceFirst("^fc\\.", "head."), file.read(name));
            }
            SafeTensors.write(ours, renamed, file.metadata());
        }
    }

    @Test
    void theExamplesOfTheDocumentationWork() throws IOException {
        try (var run = Scope.open()) {
            Network network = new ResidualNetwork(3, List.of(16, 32, 64), 1, 10, new RandomStreams(1));
            Network other = new ResidualNetwork(3, List.of(16, 32, 64), 1, 10, new RandomStreams(2));
            saveAndLoad(network, other, folder.resolve("network.safetensors"));
            assertThat(weight(other, "head.weight").equal(weight(network, "head.weight")))
                    .isTrue();

            Map<String, Tensor> theirs = new LinkedHashMap<>();
            network.parametersByName().forEach((name, tensor) -> theirs.put(name.replace("head.", "fc."), tensor));
            theirs.putAll(network.buffersByName());
            SafeTensors.write(folder.resolve("theirs"), theirs, Map.of());
            rename(folder.resolve("theirs"), folder.resolve("ours"));
            Weights.load(other, folder.resolve("ours"));

            Network tuned = fineTuned(folder.resolve("ours"), new RandomStreams(3));
            assertThat(weight(tuned, "stem.weight").equal(weight(network, "stem.weight")))
                    .isTrue();
            assertThat(weight(tuned, "head.weight").shape()).containsExactly(5, 64);
        }
    }

    private static Tensor weight(Network network, String name) {
        return network.parametersByName().get(name);
    }
}
