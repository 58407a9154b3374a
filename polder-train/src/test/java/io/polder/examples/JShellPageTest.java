package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/jshell.md shows, in the JDK's own {@code jshell}, which takes some seconds to start. */
@Tag("slow")
class JShellPageTest {
    @TempDir
    private Path directory;

    @Test
    void thePagePrintsWhatItSays() throws IOException, InterruptedException {
        String page = Files.readString(Path.of("../docs/jshell.md"));
        Path script = Files.writeString(directory.resolve("page.jsh"), block(page, "jshell") + "/exit\n");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jshell")
                                .toString(),
                        "--class-path",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "-J-Duser.home=" + directory, // where it keeps its history
                        script.toString())
                .redirectError(directory.resolve("errors").toFile()) // it tells of a directory that it has made
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(Files.readString(directory.resolve("errors")))
                .isZero();
        assertThat(output).isEqualTo(block(page, "text"));
    }

    private static String block(String page, String kind) {
        var matcher =
                Pattern.compile("```" + kind + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(matcher.find()).as(kind).isTrue();
        return matcher.group(1);
    }
}
