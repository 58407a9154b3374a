package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsJsonTest {
    @TempDir
    Path folder;

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        Path file = folder.resolve("new/folder/results.json");
        ResultsJson.write(Samples.study(), file);
        assertThat(ResultsJson.read(file)).isEqualTo(Samples.study());
    }

    @Test
    void whatIsNotFiniteIsNull() throws IOException {
        Path file = folder.resolve("results.json");
        EpochRecord diverged = new EpochRecord(
                1, Double.NaN, 0.9, Double.POSITIVE_INFINITY, 0.9, Double.NaN, 1, 0.1, Double.NEGATIVE_INFINITY);
        ResultsJson.write(
                Samples.comparison(
                        List.of(Samples.SAM), List.of(new TrialRecord("sam", 1, List.of(diverged), 1, Double.NaN))),
                file);
        assertThat(Files.readString(file)).doesNotContain("NaN", "Infinity");
        TrialRecord read = ResultsJson.read(file).trials().get(0);
        assertThat(read.trainSeconds()).isNaN();
        assertThat(read.epochs())
                .containsExactly(new EpochRecord(1, Double.NaN, 0.9, Double.NaN, 0.9, Double.NaN, 1, 0.1, Double.NaN));
    }

    @Test
    void fieldsAreTheRecordsOwnAndTheTimeIsIso() throws IOException {
        Path file = folder.resolve("results.json");
        ResultsJson.write(Samples.study(), file);
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "title",
                        "command",
                        "version",
                        "started",
                        "seconds",
                        "methods",
                        "trials",
                        "settings",
                        "environment");
        assertThat(json.get("started").textValue()).isEqualTo("2026-11-12T14:03:27Z");
        assertThat(json.at("/trials/0").fieldNames())
                .toIterable()
                .containsExactly("method", "seed", "epochs", "steps", "trainSeconds");
    }

    @Test
    void aFileThatIsNoComparisonIsRefused() throws IOException {
        Path file = folder.resolve("results.json");
        Files.writeString(file, "{\"title\": \"x\"}");
        assertThatThrownBy(() -> ResultsJson.read(file))
                .isInstanceOf(JsonMappingException.class)
                .hasMessageContaining("Missing creator property 'command'");
    }
}
