package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody types who does not know the commands by heart. */
class TerminalTest {
    @TempDir
    private Path directory;

    @Test
    void aMisspeltCommandOrOptionSuggestsWhatWasMeant() {
        assertRefused("there is no command trian: did you mean train?", "trian", "my-photos");
        assertRefused("there is no command chek: did you mean check?", "datasets", "chek");
        assertRefused("there is no command evalute: did you mean evaluate?", "help", "evalute");
        assertRefused("there is no option --epoch: did you mean --epochs?", "train", "quick-fashion", "--epoch", "2");
        assertRefused("there is no option --sede: did you mean --seed?", "train", "quick-fashion", "--sede=3");
        assertRefused("Unmatched argument at index 0: 'xyzzy' (", "xyzzy");
        assertRefused("there is no command xyzzy: there are compare, train, ", "help", "xyzzy");
    }

    @Test
    void helpOfACommandIsThatOfItsOption() {
        assertThat(help("help")).isEqualTo(help("--help")).contains("Usage: polder", "train");
        assertThat(help("help", "train")).isEqualTo(help("train", "--help"));
        assertThat(help("help", "datasets", "check")).isEqualTo(help("datasets", "check", "--help"));
    }

    @Test
    void shorthandsAreTheirFields() throws Exception {
        Path run = directory.resolve("run");
        var outcome = PolderProcess.here(
                "train",
                "quick-fashion",
                "--out",
                run.toString(),
                "--threads",
                "1",
                "--epochs",
                "1",
                "--lr",
                "0.02",
                "--seed",
                "7",
                "--batch",
                "10",
                "-s",
                "data.images=20",
                "-s",
                "data.evaluateOn=validation",
                "-s",
                "data.validation=10");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(Files.readString(run.resolve("recipe.yaml")))
                .containsPattern("(?m)^epochs: 1$")
                .containsPattern("(?m)^seed: 7$")
                .containsPattern("(?m)^  batch: 10$")
                .containsPattern("(?m)^  base: 0.02$");
        assertThat(outcome.errors())
                .containsPattern("epoch 1/1  loss [0-9.]+  train error [0-9.]+ %  validation error [0-9.]+ %");
        assertRefused(
                "-s: epochs: is \"many\"; it must be a whole number", "train", "quick-fashion", "--epochs", "many");
    }

    @Test
    void whatAnOverrideBreaksIsToldWithTheOverride() {
        // Of several, those that break something by themselves.
        assertRefused(
                "-s data.batch=1: data.mix: needs a data.batch of at least 2",
                "train",
                "pyramidnet-272-200-shakedrop-cifar10",
                "-s",
                "seed=3",
                "-s",
                "data.batch=1");
        var warm = PolderProcess.here("train", "vit-s-4-cifar10-zero-warmup", "--epochs", "2");
        assertThat(warm.errors())
                .isEqualTo("polder: -s epochs=2: scheme.warmup.epochs: takes 40.0 epochs, longer than the run of 2;"
                        + " it must end with the run or before\n");
    }

    @Test
    void moreThreadsThanCoresAreExplained() {
        int cores = Runtime.getRuntime().availableProcessors();
        var outcome = PolderProcess.here(
                "train", "quick-fashion", "--threads", "" + (cores + 1), "--data", directory.toString());
        assertThat(outcome.errors())
                .startsWith("polder: threads is " + (cores + 1) + ", and there ")
                .contains("those beyond the cores only wait for the others");
        assertThat(PolderProcess.here("train", "quick-fashion", "--threads", "1", "--data", directory.toString())
                        .errors())
                .doesNotContain("cores");
    }

    private static String help(String... arguments) {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output();
    }

    private static void assertRefused(String sentence, String... arguments) {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors()).startsWith("polder: " + sentence).hasLineCount(1);
    }
}
