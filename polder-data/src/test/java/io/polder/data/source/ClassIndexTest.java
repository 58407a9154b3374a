package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassIndexTest {
    @TempDir
    private Path directory;

    /** Zeros between the characters are taken for UTF-32, whose reader complains in its own way. */
    @Test
    void bytesThatLookLikeUtf32AreToldWithTheFilesName() throws IOException {
        for (byte[] bytes : new byte[][] {
            {0, 0, 0, '{', (byte) 0xa2, (byte) 0xff, 0x27, 0}, {0, 0, '{', 0, 0, 0, '"', 0}, {0, '{', 0, '}'}
        }) {
            Path file = Files.write(directory.resolve("index.json"), bytes);
            assertThatThrownBy(() -> ClassIndex.read(new DirectoryTree(directory), "index.json"))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file + " is no class index");
        }
    }
}
