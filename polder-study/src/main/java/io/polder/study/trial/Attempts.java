package io.polder.study.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** When a trial was started, each time: a line each in the file {@code attempts}. */
final class Attempts {
    private static final String FILE = "attempts";

    private Attempts() {}

    static void add(Path trial, Instant time) throws IOException {
        Files.writeString(trial.resolve(FILE), time + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Oldest first. */
    static List<Instant> of(Path trial) throws IOException {
        List<Instant> times = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(trial.resolve(FILE))) {
                times.add(Instant.parse(line));
            }
        } catch (NoSuchFileException | DateTimeParseException e) {
            // None yet, or a machine died while it wrote one: it is a record, nothing is decided by it.
        }
        return times;
    }
}
