package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {
    @TempDir
    private Path directory;

    @Test
    void whereNoRunCanStandIsToldWithTheFile() throws IOException {
        Path file = directory.resolve("progress.json");
        new Progress(203, 2, 3, EpochSums.NONE, NormHistory.NONE, 0.5, 1, null).write(file);
        String good = Files.readString(file);
        for (String damaged : new String[] {
            good.replace("203", "-203"),
            good.replace("\"epoch\" : 2", "\"epoch\" : -2"),
            good.replace("\"batch\" : 3", "\"batch\" : -3"),
            good.replaceAll("(?s)\"sums\" : \\{.*?\\}", "\"sums\" : null"),
            good.replaceAll("(?s)\"norms\" : \\{.*?\\}", "\"norms\" : null")
        }) {
            assertThat(damaged).isNotEqualTo(good);
            Files.writeString(file, damaged);
            assertThatThrownBy(() -> Progress.read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file + " does not say where the run stands");
        }
    }
}
