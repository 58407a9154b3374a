package io.polder.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ShellWordsTest {
    @Test
    void whatNoShellChangesIsLeftAlone() {
        assertThat(ShellWords.joined(List.of("./polder", "resume", Path.of("runs/a-1_b.2"))))
                .isEqualTo("./polder resume runs/a-1_b.2");
        assertThat(ShellWords.quoted("model.init=/a/b.safetensors")).isEqualTo("model.init=/a/b.safetensors");
    }

    @Test
    void theRestIsInSingleQuotes() {
        assertThat(ShellWords.quoted("my run")).isEqualTo("'my run'");
        assertThat(ShellWords.quoted("it's")).isEqualTo("'it'\\''s'");
        assertThat(ShellWords.quoted("")).isEqualTo("''");
        assertThat(ShellWords.quoted("~")).isEqualTo("'~'");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such shell")
    void aShellGivesBackEveryWordAsItWas() throws IOException, InterruptedException {
        List<String> words = List.of(
                "a b",
                "$HOME",
                "`id`",
                "'",
                "''",
                "\"",
                "\\",
                "*",
                "~root",
                "a;b",
                "a&b",
                "#x",
                "!x",
                "{a,b}",
                "\t",
                "ä",
                "",
                "two\nlines");
        Process shell = new ProcessBuilder(
                        "sh", "-c", "for word in " + ShellWords.joined(words) + "; do printf '%s\\0' \"$word\"; done")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        assertThat(output).isEqualTo(String.join("\0", words) + "\0");
    }
}
