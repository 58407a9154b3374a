package io.polder.study.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** How much memory a process has, as Linux tells; elsewhere nothing is known. */
final class MemoryGauge {
    private static final Path PROC = Path.of("/proc");
    private static final long KIBIBYTE = 1024;

    private MemoryGauge() {}

    /** Bytes of memory that a process has now. */
    static OptionalLong resident(long pid) {
        return field(PROC.resolve(Long.toString(pid)).resolve("status"), "VmRSS:");
    }

    /** The most it has had. */
    static OptionalLong peak(long pid) {
        return field(PROC.resolve(Long.toString(pid)).resolve("status"), "VmHWM:");
    }

    private static OptionalLong field(Path file, String name) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIBIBYTE)
                    .findFirst();
        } catch (IOException | RuntimeException e) {
            return OptionalLong.empty();
        }
    }
}
