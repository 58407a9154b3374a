package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.files.CheckedJson;
import io.polder.recipe.Recipe;
import io.polder.recipe.Recipes;
import io.polder.train.Classification;
import io.polder.train.Figure;
import io.polder.train.Figures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeJsonTest {
    @TempDir
    Path folder;

    static TrialOutcome outcome(String id, TrialOutcome.Status status) {
        return new TrialOutcome(
                id,
                "name: x\n",
                "x",
                "sam",
                3,
                status,
                status == TrialOutcome.Status.DONE ? "" : "the loss was \"NaN\" ±",
                TrialOutcome.TEST,
                2,
                null,
                Map.of("lastError", 0.25, "bestError", 0.24, "lastLoss", Double.NaN, "top5Error", 0.01),
                1.5,
                20,
                12.5,
                900,
                2,
                Instant.parse("2026-11-16T00:00:00.123Z"),
                "a machine",
                List.of(
                        new EpochPoint(
                                1, 2.1, Map.of("error", 0.8), Double.NaN, Map.of("error", Double.NaN), 1.1, 19, 0.1),
                        new EpochPoint(2, 1.1, Map.of("error", 0.5), 1.2, Map.of("error", 0.25), 1.5, 20, 0.05)));
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        for (TrialOutcome.Status status : TrialOutcome.Status.values()) {
            TrialOutcome outcome = outcome("ab".repeat(32), status);
            Path file = folder.resolve("outcome.json");
            OutcomeJson.write(outcome, file);
            assertThat(OutcomeJson.read(file)).isEqualTo(outcome);
        }
    }

    @Test
    void anyCutOfTheFileIsNoOutcomeAndNeverHalfOfOne() throws IOException {
        String text = OutcomeJson.text(outcome("ab".repeat(32), TrialOutcome.Status.DONE))
                .strip();
        Path file = folder.resolve("outcome.json");
        for (int length = 0; length < text.length(); length += 7) {
            Files.writeString(file, text.substring(0, length));
            assertThatThrownBy(() -> OutcomeJson.read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("outcome.json");
        }
    }

    @Test
    void aNewerVersionMaySayMore() throws IOException {
        TrialOutcome outcome = outcome("ab".repeat(32), TrialOutcome.Status.DONE);
        Path file = folder.resolve("outcome.json");
        Files.writeString(
                file, CheckedJson.with(withoutChecksum(outcome).replaceFirst("\\{", "{\"weather\":\"fine\",")));
        assertThat(OutcomeJson.read(file)).isEqualTo(outcome);
    }

    /** Of before there were other tasks; what is written now is the same. */
    @Test
    void anOldOutcomeIsReadAndWrittenAsItWas() throws Exception {
        Path old = Path.of(OutcomeJsonTest.class
                .getResource("outcome-of-an-image-classifier.json")
                .toURI());
        TrialOutcome outcome = OutcomeJson.read(old);
        assertThat(outcome.judge()).isEqualTo(Classification.ERROR);
        assertThat(outcome.last()).isEqualTo(0.18);
        assertThat(outcome.best()).isEqualTo(0.18);
        assertThat(outcome.last(Classification.TOP5_ERROR)).isEqualTo(0.036);
        assertThat(outcome.last(Figure.loss())).isEqualTo(0.5);
        assertThat(outcome.curve()).hasSize(20);
        assertThat(outcome.curve().get(19).test(outcome.judge())).isEqualTo(0.18);
        assertThat(OutcomeJson.text(outcome)).isEqualTo(Files.readString(old));
    }

    @Test
    void theFiguresOfAnotherTaskHaveTheirNames() throws IOException {
        Path trial = Files.createDirectory(folder.resolve("ab".repeat(32)));
        var precision = new Figure("averagePrecision", "average precision", Figure.Unit.SHARE, Figure.Better.HIGHER);
        var task = new Figures(precision, List.of(Figure.error("wrongTags", "wrong tags")), List.of(precision));
        Files.writeString(
                trial.resolve("run.json"),
                "{\"name\": \"x\", \"task\": " + new ObjectMapper().writeValueAsString(task) + "}");
        Files.writeString(
                trial.resolve("metrics.jsonl"),
                IntStream.rangeClosed(1, 3)
                        .mapToObj(epoch -> "{\"kind\":\"epoch\",\"epoch\":" + epoch
                                + ",\"step\":1,\"steps\":1,\"wrongTags\":0.125,\"seconds\":1,"
                                + "\"testAveragePrecision\":0." + "252".charAt(epoch - 1) + ",\"testImages\":9}\n")
                        .collect(Collectors.joining()));
        Recipe recipe = Recipes.read("quick-fashion", List.of());
        TrialOutcome outcome =
                TrialRecord.outcome(recipe, trial, TrialOutcome.Status.DONE, "", "a machine", complaint -> {});
        assertThat(outcome.judge()).isEqualTo(precision);
        assertThat(outcome.last()).isEqualTo(0.2);
        assertThat(outcome.best()).isEqualTo(0.5);
        assertThat(outcome.method()).isEqualTo("gradient-norm-penalty");
        assertThat(OutcomeJson.text(outcome))
                .contains(",\"lastAveragePrecision\":0.2,\"bestAveragePrecision\":0.5,")
                .contains("\"trainWrongTags\":0.125,\"testLoss\":null,\"testAveragePrecision\":0.5,")
                .doesNotContain("rror\":");
        OutcomeJson.write(outcome, trial.resolve("outcome.json"));
        assertThat(OutcomeJson.read(trial.resolve("outcome.json"))).isEqualTo(outcome);
    }

    @Test
    void anErrorThatIsNoFractionIsRefused() throws IOException {
        Path file = folder.resolve("outcome.json");
        Files.writeString(
                file,
                withoutChecksum(outcome("ab".repeat(32), TrialOutcome.Status.DONE))
                        .replace("\"lastError\":0.25", "\"lastError\":25"));
        assertThatThrownBy(() -> OutcomeJson.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lastError is 25")
                .hasMessageContaining("outcome.json");
    }

    private static String withoutChecksum(TrialOutcome outcome) {
        return OutcomeJson.text(outcome).replaceFirst("\"checksum\":\"[0-9a-f]{8}\",", "");
    }

    @Test
    void noByteCanChangeUnnoticed() throws IOException {
        byte[] whole = OutcomeJson.text(outcome("ab".repeat(32), TrialOutcome.Status.DONE))
                .stripTrailing()
                .getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("outcome.json");
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            Files.write(file, damaged);
            assertThatThrownBy(() -> OutcomeJson.read(file))
                    .as("byte " + i)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void aFileOfAnOlderVersionHasNoChecksumAndItsCurveIsLookedAtAtOnce() throws IOException {
        TrialOutcome outcome = outcome("ab".repeat(32), TrialOutcome.Status.DONE);
        Path file = folder.resolve("outcome.json");
        Files.writeString(file, withoutChecksum(outcome));
        assertThat(OutcomeJson.read(file)).isEqualTo(outcome);

        for (String damage :
                new String[] {"\"epoch\":0", "\"epoch\":\"2\"x", "\"epoch\":{}", "\"epoch\":1,\"epoch\":1"}) {
            Files.writeString(file, withoutChecksum(outcome).replace("\"epoch\":2", damage));
            assertThatThrownBy(() -> OutcomeJson.read(file))
                    .as(damage)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file.toString());
        }
    }
}
