package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrialCommandTest {
    /** Trials shall run as fast as {@code ./polder train} does. */
    @Test
    void optionsAndEnvironmentAreThoseOfTheLauncher() throws IOException {
        String launcher = Files.readString(Path.of("../tools/engine.sh"));
        String options = launcher.substring(launcher.indexOf("engine_options=\"") + "engine_options=\"".length());
        options = options.substring(0, options.indexOf('"'));
        assertThat(TrialCommand.ENGINE_OPTIONS).containsExactly(options.strip().split("\\s+"));
        TrialCommand.ENGINE_ENVIRONMENT.forEach((name, value) ->
                assertThat(launcher).contains("export " + name + "=\"${" + name + ":-" + value + "}\""));
        assertThat(launcher.lines().filter(line -> line.startsWith("export")))
                .hasSameSizeAs(TrialCommand.ENGINE_ENVIRONMENT.keySet());
    }

    /** Prints the words of the command. */
    public static final class Printer {
        public static void main(String[] arguments) {
            TrialCommand.likeThisProcess().words().forEach(System.out::println);
        }
    }

    @Test
    void theUsersOptionsReachTrialsInTheLaunchersOrder() throws IOException {
        var builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Printer.class.getName());
        builder.environment().put("POLDER_JAVA_OPTIONS", " -Xmx300m  -Dx=y ");
        try (var output = builder.start().inputReader()) {
            List<String> words = output.lines().toList();
            assertThat(words)
                    .containsSubsequence("-XX:+UseSerialGC", "-Xmx300m", "-Dx=y", "-cp", TrialMain.class.getName());
        }
    }
}
