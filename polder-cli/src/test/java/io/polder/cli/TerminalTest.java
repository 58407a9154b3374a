package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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

    @Test
    void everyHelpAndEveryListFitsATerminal() {
        List<List<String>> commands = new ArrayList<>(
                List.of(List.of("models"), List.of("recipes"), List.of("datasets"), List.of("study"), List.of("help")));
        var main = new CommandLine(new Main());
        main.getSubcommands().forEach((name, command) -> {
            commands.add(List.of(name, "--help"));
            command.getSubcommands().keySet().forEach(below -> commands.add(List.of(name, below, "--help")));
        });
        assertThat(commands).hasSizeGreaterThan(20);
        for (List<String> command : commands) {
            assertThat(help(command.toArray(String[]::new)).lines())
                    .as(String.join(" ", command))
                    // Names of files are as long as they are.
                    .filteredOn(line -> !line.strip().matches("\\S+( \\S+)?|.*[0-9a-f]{32}  \\S+"))
                    .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
        }
    }

    @Test
    void whatDoesNotFitIsLeftOutAndABarHasTheRoomThatIsLeft() {
        assertThat(Terminal.fitting(20, "step 1/9", "0:10 left", "error 3 %")).isEqualTo("step 1/9  0:10 left");
        assertThat(Terminal.fitting(5, "step 1/9", "0:10 left")).isEqualTo("step 1/9");
        System.setProperty("polder.columns", "20");
        try {
            assertThat(Terminal.barred(30, 1, 2, "half")).isEqualTo("██████░░░░░░░  half");
            assertThat(Terminal.barred(4, 1, 2, "half")).isEqualTo("██░░  half");
            assertThat(Terminal.barred(30, 1, 2, "far more words than fit")).isEqualTo("far more words than");
        } finally {
            System.clearProperty("polder.columns");
        }
    }

    /** A window that is now 20 wide has broken a line of 30 into two. */
    @Test
    void aLineThatBecameTwoIsRemovedWhole() {
        System.setProperty("polder.columns", "20");
        try {
            assertThat(Terminal.erasing(List.of(), 20)).isEqualTo("\r\u001b[J");
            assertThat(Terminal.erasing(List.of(), 30)).isEqualTo("\r\u001b[1A\u001b[J");
            assertThat(Terminal.erasing(List.of(30, 10), 0)).isEqualTo("\r\u001b[3A\u001b[J");
        } finally {
            System.clearProperty("polder.columns");
        }
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
