package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report shows what can be read: no damage to what it is made of keeps it from being written. */
@Tag("slow")
class ReportFuzzTest {
    @TempDir
    private Path folder;

    private Path run;

    @BeforeEach
    void sample() throws IOException {
        run = folder.resolve("run");
        try (var sample = SampleRun.begin(run)) {
            sample.steps(100);
        }
        Files.writeString(run.resolve("recipe.yaml"), "name: sample\nepochs: 3\n");
    }

    @Test
    void factsOfARun() throws Exception {
        Path file = run.resolve("run.json");
        Fuzz.of("run.json to show", Files.readAllBytes(file)).refusedBy().run(bytes -> {
            Files.write(file, bytes);
            return LenientRunInfo.read(run);
        });
    }

    @Test
    void reportsOfARun() throws Exception {
        for (String name : new String[] {"run.json", "metrics.jsonl", "recipe.yaml"}) {
            Path file = run.resolve(name);
            byte[] good = Files.readAllBytes(file);
            Fuzz.of("report of a damaged " + name, good)
                    .oneCaseOf(6)
                    .refusedBy()
                    .run(bytes -> {
                        Files.write(file, bytes);
                        RunReport.write(run);
                        String html = Files.readString(run.resolve("report.html"), StandardCharsets.UTF_8);
                        assertThat(html).endsWith("</html>\n");
                        return "";
                    });
            Files.write(file, good);
        }
    }
}
