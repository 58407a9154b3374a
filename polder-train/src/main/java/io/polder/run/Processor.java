package io.polder.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the processor calls itself, for the record of a run. */
public final class Processor {
    private Processor() {}

    public static String name() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch"); // not Linux
        }
    }
}
