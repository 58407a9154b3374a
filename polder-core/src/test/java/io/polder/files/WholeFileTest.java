package io.polder.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    Path folder;

    @Test
    void theNewReplacesTheOldAndNothingIsLeftBeside() throws IOException {
        Path file = folder.resolve("report.html");
        WholeFile.write(file, "old");
        WholeFile.write(file, "new ±");
        assertThat(file).hasContent("new ±");
        assertThat(Files.list(folder)).containsExactly(file);
    }

    @Test
    void aFailedWriteLeavesNothingBehind() throws IOException {
        Path occupied = folder.resolve("report.html");
        Files.createDirectories(occupied.resolve("inside"));
        assertThatThrownBy(() -> WholeFile.write(occupied, "text")).isInstanceOf(IOException.class);
        assertThat(Files.list(folder)).containsExactly(occupied);
    }

    @Test
    void aFailureNamesTheFileAndTheCauseAndLeavesTheOld() throws IOException {
        Path file = folder.resolve("report.html");
        WholeFile.write(file, "old");
        assertThatThrownBy(() -> WholeFile.write(file, draft -> {
                    Files.writeString(draft, "half");
                    throw new IOException("No space left on device");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot write " + file + " (No space left on device): make room or choose another place");
        Path below = file.resolve("below a file");
        assertThatThrownBy(() -> WholeFile.write(below, "text"))
                .hasMessageStartingWith("cannot write " + below + " (there is one already): ");
        assertThat(file).hasContent("old");
        assertThat(Files.list(folder)).containsExactly(file);
    }

    @Test
    void aContentThatWritesNothingIsAFailure() {
        Path file = folder.resolve("report.html");
        assertThatThrownBy(() -> WholeFile.write(file, draft -> {}))
                .hasMessageStartingWith("cannot write " + file + " (there is no such file or directory)");
        assertThat(file).doesNotExist();
    }
}
