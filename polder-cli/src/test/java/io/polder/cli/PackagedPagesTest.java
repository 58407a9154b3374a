package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the command knows of itself, for shells, for the manual and for who asks what is wrong. */
class PackagedPagesTest {
    private static final List<String> COMMANDS = List.of(
            "compare",
            "train",
            "resume",
            "evaluate",
            "predict",
            "export",
            "sharpness",
            "study",
            "watch",
            "models",
            "recipes",
            "datasets",
            "report",
            "doctor",
            "completion",
            "help");

    @TempDir
    private Path directory;

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "bash is not a part of it")
    void bashCompletesCommandsAndOptions() throws Exception {
        Path script = Files.writeString(directory.resolve("polder"), run("completion", "bash"));
        assertThat(run("completion", "bash")).isEqualTo(Files.readString(script));
        assertThat(completed(script, "polder", "tr")).isEqualTo("train");
        assertThat(completed(script, "polder", "train", "--epo")).isEqualTo("--epochs");
        assertThat(completed(script, "polder", "datasets", "ch")).isEqualTo("check");
    }

    /** As bash does it when the tabulator is pressed, but for compopt, which it then has. */
    private String completed(Path script, String... words) throws Exception {
        String program =
                "compopt() { :; }; source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_polder; echo \"${COMPREPLY[*]}\""
                        .formatted(script, String.join(" ", words), words.length - 1);
        Process bash = new ProcessBuilder("bash", "-c", program)
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes()).strip();
        assertThat(bash.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return said;
    }

    @Test
    void zshLoadsTheSameAndFishHasItsOwn() {
        assertThat(run("completion", "zsh")).startsWith("#compdef polder\n").endsWith(run("completion", "bash"));
        String fish = run("completion", "fish");
        assertThat(COMMANDS)
                .allSatisfy(command -> assertThat(fish)
                        .contains("complete -c polder -n __fish_use_subcommand -f -a " + command + " -d '"));
        assertThat(fish)
                .contains(
                        "complete -c polder -n '__fish_seen_subcommand_from train' -l epochs -r -d 'How many epochs'\n")
                .contains("__fish_seen_subcommand_from datasets' -a check -d '")
                .doesNotContain("man-pages");
        // Quotes inside of quotes would end them: each line has two that count.
        assertThat(fish.lines().filter(line -> line.startsWith("complete")))
                .allMatch(line ->
                        line.replace("\\'", "").chars().filter(c -> c == '\'').count() % 2 == 0);
    }

    @Test
    void everyCommandHasItsPageOfTheManual() throws Exception {
        Path pages = directory.resolve("man1");
        run("man-pages", pages.toString());
        try (Stream<Path> files = Files.list(pages)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("polder.1", "polder-datasets-check.1")
                    .containsAll(COMMANDS.stream()
                            .map(command -> "polder-" + command + ".1")
                            .toList())
                    .doesNotContain("polder-man-pages.1");
        }
        String train = Files.readString(pages.resolve("polder-train.1"));
        assertThat(train)
                .startsWith(".TH POLDER\\-TRAIN 1 \"\" \"Polder ")
                .contains(".SH NAME\npolder\\-train \\- Trains a recipe", ".SH SYNOPSIS\npolder train ")
                .contains(".TP\n\\fB\\-\\-epochs\\fR \\fIN\\fR\nHow many epochs")
                .contains(".SH SEE ALSO\n\\fBpolder\\fR(1)\n");
        // What begins with a dot is a request to the formatter, and a word of a sentence is none.
        assertThat(train.lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                .allMatch(line -> line.matches("\\.(TH .*|SH [A-Z ]+|TP|PP)"));
    }

    @Test
    void theDoctorSaysWhatThereIs() {
        assertThat(run("doctor"))
                .containsPattern("(?m)^Java +1[7-9]|^Java +[2-9][0-9]")
                .containsPattern("(?m)^Engine +libtorch [0-9.]+( with MKL)?, loaded in [0-9.]+ s$")
                .containsPattern("(?m)^Processor +.+$")
                .containsPattern("(?m)^Memory +.+$")
                .containsPattern("(?m)^Runs +.+ GiB free$")
                .containsPattern("(?m)^Data +fashion-mnist-2000");
    }

    private static String run(String... arguments) {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output();
    }
}
