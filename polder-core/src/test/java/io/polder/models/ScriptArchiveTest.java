package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A TorchScript file is an archive with checksums, which the engine does not look at. */
class ScriptArchiveTest {
    @TempDir
    private Path directory;

    private byte[] good;
    private byte[] weights;

    @BeforeEach
    void read() throws Exception {
        Path file = Path.of(getClass().getResource("/torchscript/tiny.ts").toURI());
        good = Files.readAllBytes(file);
        try (var archive = new ZipFile(file.toFile());
                var stream = archive.getInputStream(archive.stream()
                        .filter(entry -> entry.getName().matches(".*/data/0"))
                        .findFirst()
                        .orElseThrow())) {
            weights = stream.readAllBytes();
        }
    }

    @Test
    void aFlippedBitInTheWeightsIsTold() throws IOException {
        byte[] damaged = good.clone();
        damaged[indexOf(weights) + 3] ^= 1; // of the first number's exponent
        Path file = Files.write(directory.resolve("damaged.ts"), damaged);
        assertThatThrownBy(() -> TorchScriptNetwork.load(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + " is not a TorchScript file, or damaged")
                .hasMessageNotContaining("\n");
    }

    @Test
    void whatTheEngineWritesIsSound() throws IOException {
        Path file = Files.write(directory.resolve("good.ts"), good);
        Path again = directory.resolve("again.ts");
        try (var scope = Scope.open()) {
            TorchScriptNetwork.load(file).save(again);
            assertThat(TorchScriptNetwork.load(again).parametersByName()).isNotEmpty();
        }
    }

    private int indexOf(byte[] part) {
        for (int at = 0; at + part.length <= good.length; at++) {
            if (sum(good, at, part.length) == sum(part, 0, part.length)) {
                return at;
            }
        }
        throw new AssertionError("the weights are stored as they are");
    }

    private static long sum(byte[] bytes, int start, int length) {
        var sum = new CRC32();
        sum.update(bytes, start, length);
        return sum.getValue();
    }
}
