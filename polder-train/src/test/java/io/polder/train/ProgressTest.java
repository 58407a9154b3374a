package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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

    @Test
    void aCheckpointOfBeforeThereWereTasksIsRead() throws IOException {
        Path file = directory.resolve("progress.json");
        Files.writeString(file, """
                {
                  "step" : 203, "epoch" : 2, "batch" : 3,
                  "sums" : {
                    "steps" : 3, "images" : 48, "loss" : 5.5, "wrong" : 12.0, "norms" : 3.3, "parameterNorm" : 20.0, "learningRate" : 0.1
                  },
                  "norms" : { "steps" : 203, "largest" : 2.5 },
                  "learningRateScale" : 0.5, "restarts" : 1,
                  "best" : { "epoch" : 2, "error" : 0.25 }
                }
                """);
        Progress read = Progress.read(file);
        assertThat(read.sums().means()).isEqualTo(Map.of("error", 0.25));
        assertThat(read.best()).isEqualTo(new Progress.Best(2, 0.25));
        read.write(file);
        assertThat(Progress.read(file)).isEqualTo(read);
    }
}
