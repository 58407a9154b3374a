package io.polder.study.trial;

import io.polder.files.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * When a trial was started, each time: a line each in the file {@code attempts}. It is a record, nothing is decided by it, so no damage to
 * it stops anything.
 */
final class Attempts {
    static final String FILE = "attempts";

    private Attempts() {}

    /** @param complaints takes a sentence if it cannot be written */
    static void add(Path trial, Instant time, Consumer<String> complaints) {
        Path file = trial.resolve(FILE);
        try {
            requirePlain(file);
            Files.writeString(file, time + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            complaints.accept(file + " cannot be written to (" + Reason.of(e) + "): this start will not be counted");
        }
    }

    /**
     * Oldest first.
     *
     * @param complaints takes a sentence if there are lines that say no time, or it cannot be read
     */
    static List<Instant> of(Path trial, Consumer<String> complaints) {
        Path file = trial.resolve(FILE);
        List<Instant> times = new ArrayList<>();
        int damaged = 0;
        try {
            requirePlain(file);
            // A character for each byte: what is not ASCII is no time.
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                try {
                    times.add(Instant.parse(line));
                } catch (DateTimeParseException e) {
                    damaged++;
                }
            }
            if (damaged > 0) {
                complaints.accept(file + " had lines that say no time, and were not counted: " + damaged);
            }
        } catch (NoSuchFileException e) {
            // None yet.
        } catch (IOException e) {
            complaints.accept(file + " cannot be read (" + Reason.of(e) + "): earlier starts are not counted");
        }
        return times;
    }

    /** Nobody waits for what a pipe may say. */
    private static void requirePlain(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("it is not a plain file");
        }
    }
}
