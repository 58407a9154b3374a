package io.polder.nn;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import io.polder.models.ResidualNetwork;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged weights: the format has no checksum, so that other numbers are other weights; a header that is wrong is told, and then the
 * network is as it was.
 */
@Tag("slow")
class WeightsFuzzTest {
    @TempDir
    private Path directory;

    private Path file;

    @Test
    void weightsOfANetwork() throws Exception {
        fuzz("weights", bytes -> bytes);
    }

    /** Past the first eight bytes: their length fits the header again. */
    @Test
    void headersOfTheRightLength() throws Exception {
        fuzz("weights whose length fits", bytes -> {
            int end = bytes.length - 1;
            while (end > 8 && !(bytes[end] == '}' && bytes[end - 1] == '}')) {
                end--;
            }
            if (end > 8) {
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(end / 8 * 8); // with the spaces
            }
            return bytes;
        });
    }

    private interface Mending {
        byte[] of(byte[] bytes);
    }

    private void fuzz(String name, Mending mending) throws Exception {
        file = directory.resolve("weights.safetensors");
        byte[] good;
        try (var scope = Scope.open()) {
            Weights.save(network(), file);
            good = Files.readAllBytes(file);
        }
        Fuzz.of(name, good).oneCaseOf(2).listing().naming(file).run(bytes -> {
            Files.write(file, mending.of(bytes));
            try (var scope = Scope.withoutGradient()) {
                Network network = network();
                Map<String, Tensor> before = new LinkedHashMap<>();
                network.parametersByName().forEach((key, value) -> before.put(key, value.clone()));
                try {
                    Weights.load(network, file);
                    return readAll();
                } catch (IOException e) {
                    network.parametersByName()
                            .forEach((key, value) ->
                                    assertThat(value.equal(before.get(key))).isTrue());
                    throw e;
                }
            }
        });
    }

    private int readAll() throws IOException {
        try (var stored = SafeTensors.open(file)) {
            for (String name : List.copyOf(stored.entries().keySet())) {
                stored.read(name);
            }
            return stored.entries().size();
        }
    }

    private static Network network() {
        return new ResidualNetwork(1, List.of(2), 1, 3, new RandomStreams(1));
    }
}
