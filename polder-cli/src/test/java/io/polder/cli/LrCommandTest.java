package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LrCommandTest {
    private static final String[] RECIPE = {
        "lr", "quick-fashion", "-s", "data.images=64", "-s", "data.batch=16", "--threads", "1", "--steps", "20"
    };

    @TempDir
    private Path folder;

    private PolderProcess.Outcome lr(String... more) {
        String[] all = new String[RECIPE.length + more.length + 2];
        System.arraycopy(RECIPE, 0, all, 0, RECIPE.length);
        System.arraycopy(more, 0, all, RECIPE.length, more.length);
        all[all.length - 2] = "--out";
        all[all.length - 1] = folder.resolve("made").toString();
        return PolderProcess.here(all);
    }

    @Test
    void itSaysWhatToTakeAndByWhichRuleAndDrawsIt() throws IOException {
        var outcome = lr("--from", "1e-4", "--to", "1e6");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output())
                .contains("quick-fashion: the loss diverged at a learning rate of ", "its smoothed value was lowest")
                .contains("(the recipe has 0.100)")
                .endsWith("Figure: " + folder.resolve("made/lr.svg") + "\n");
        assertThat(folder.resolve("made/lr.csv")).content().startsWith("step,learningRate,loss,smoothed\n0,1.0E-4,");
        assertThat(folder.resolve("made/lr.svg")).content().startsWith("<svg");
        assertThat(ImageIO.read(folder.resolve("made/lr.png").toFile())).isNotNull();
    }

    @Test
    void programsGetOneObject() throws IOException {
        var outcome = lr("--json");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        JsonNode json = new ObjectMapper().readTree(outcome.output());
        assertThat(json.path("points").size()).isEqualTo(20);
        assertThat(json.path("base").asDouble()).isEqualTo(0.1);
        assertThat(json.has("suggestion")).isTrue();
    }

    @Test
    void whatIsTypedWronglyLeavesNothingBehind() {
        assertThat(lr("--from", "2", "--to", "1").exitCode()).isEqualTo(2);
        assertThat(lr("-s", "data.bacth=3").errors()).contains("did you mean batch?");
        assertThat(Files.exists(folder.resolve("made"))).isFalse();
    }
}
