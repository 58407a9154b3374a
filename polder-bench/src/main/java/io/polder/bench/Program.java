package io.polder.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Programs as a user calls them, and what they leave behind. */
final class Program {
    private Program() {}

    /** What a command prints, which must succeed. */
    static List<String> linesOf(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.outputWriter().close();
        List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", command));
        }
        return lines;
    }

    static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
