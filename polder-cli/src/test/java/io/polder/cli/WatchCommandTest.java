package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.metrics.MetricsLog;
import io.polder.train.StepMetrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process: the address it prints, what ends it, and with which exit code. */
class WatchCommandTest {
    @TempDir
    private Path directory;

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no such signals")
    void printsAnAddressServesItAndEndsByASignalWithItsExitCode() throws Exception {
        Path run = Files.createDirectory(directory.resolve("run"));
        try (var log = MetricsLog.create(run.resolve("metrics.jsonl"), 1, System.err::println)) {
            log.onStep(new StepMetrics(
                    0, 0, 2.5, 1.25, 1.5, 20, 0.05, Map.of("error", 0.75, "r", 0.1, "alpha", 0.8), 900));
        }
        for (String signal : List.of("INT", "TERM")) {
            Process process = start("watch", run.toString());
            try {
                URI address = address(process);
                assertThat(status(address)).isEqualTo(200);
                assertThat(status(address.resolve("/"))).isEqualTo(403);
                new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor();
                assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.exitValue()).isEqualTo(signal.equals("INT") ? 130 : 143);
            String errors = Files.readString(directory.resolve("errors"));
            assertThat(errors).contains("polder: stopped");
            // It shows training, but does none.
            assertThat(errors).as("classes loaded").doesNotContain("org.bytedeco");
        }
    }

    @Test
    void wrongUseIsOneSentence() throws Exception {
        Path none = directory.resolve("none");
        assertRefused(1, none + " is not a directory: name that of a run", "watch", none.toString());
        assertRefused(2, "port is 70000: it must be from 0 to 65535", "watch", directory.toString(), "--port", "70000");
        assertRefused(2, "Missing required parameter: 'DIR'", "watch");
    }

    private void assertRefused(int exitCode, String expected, String... arguments) throws Exception {
        Process process = start(arguments);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(exitCode);
        List<String> errors = Files.readAllLines(directory.resolve("errors")).stream()
                .filter(line -> !line.contains("[class,load]"))
                .toList();
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0)).startsWith("polder: ").contains(expected);
    }

    private URI address(Process process) throws Exception {
        Pattern line = Pattern.compile("Watching at (http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}/)\\R");
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (true) {
            var found = line.matcher(Files.readString(directory.resolve("output")));
            if (found.find()) {
                return URI.create(found.group(1));
            }
            assertThat(process.isAlive() && System.nanoTime() < deadline)
                    .as(Files.readString(directory.resolve("output")))
                    .isTrue();
            Thread.sleep(50);
        }
    }

    private static int status(URI address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private Process start(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:stderr",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(directory.resolve("output").toFile())
                .redirectError(directory.resolve("errors").toFile())
                .start();
    }
}
