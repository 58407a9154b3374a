package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the parts come to is the machine's; that they are the whole is not. */
class ProfileCommandTest {
    private static final String[] RECIPE = {
        "profile",
        "quick-fashion",
        "-s",
        "data.images=64",
        "-s",
        "data.batch=16",
        "-s",
        "data.evaluationBatch=100",
        "--threads",
        "1",
        "--steps",
        "6",
        "--warm-up",
        "1"
    };

    @TempDir
    private Path folder;

    private PolderProcess.Outcome profile(String... more) {
        String[] all = new String[RECIPE.length + more.length + 2];
        System.arraycopy(RECIPE, 0, all, 0, RECIPE.length);
        System.arraycopy(more, 0, all, RECIPE.length, more.length);
        all[all.length - 2] = "--out";
        all[all.length - 1] = folder.resolve("made").toString();
        return PolderProcess.here(all);
    }

    @Test
    void theTableHasEveryPartAndTheFigureEveryStep() throws IOException {
        var outcome = profile();
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output())
                .startsWith("quick-fashion: a step takes ")
                .contains("(means over 6 steps)")
                .contains(
                        "waiting for the loader", "images to tensors", "forward", "backward", "optimizer", "evaluation")
                .endsWith("Figure: " + folder.resolve("made/profile.svg") + "\n");
        assertThat(Files.readAllLines(folder.resolve("made/profile.csv")))
                .hasSize(7)
                .first()
                .isEqualTo("step,loader,tensors,forward,backward,flat");
        assertThat(folder.resolve("made/profile.svg")).content().startsWith("<svg");
        assertThat(ImageIO.read(folder.resolve("made/profile.png").toFile())).isNotNull();
    }

    @Test
    void thePartsOfAStepAddUpAndSoDoThoseOfAnEpoch() throws IOException {
        var outcome = profile("--json");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        JsonNode json = new ObjectMapper().readTree(outcome.output());
        double sum = 0;
        for (JsonNode part : json.path("parts")) {
            assertThat(part.asDouble()).isNotNegative();
            sum += part.asDouble();
        }
        assertThat(json.path("parts").path("forward").asDouble()).isPositive();
        assertThat(json.path("parts").path("backward").asDouble()).isPositive();
        assertThat(json.path("evaluation").asDouble()).isPositive();
        assertThat(json.path("step").asDouble()).isCloseTo(sum, within(1e-9));
        assertThat(json.path("stepsPerEpoch").asInt()).isEqualTo(4);
        assertThat(json.path("epoch").asDouble())
                .isCloseTo(4 * sum + json.path("evaluation").asDouble() / 5, within(1e-9));
    }

    @Test
    void whatIsTypedWronglyLeavesNothingBehind() {
        assertThat(profile("--steps", "0").exitCode()).isEqualTo(2);
        assertThat(Files.exists(folder.resolve("made"))).isFalse();
    }
}
