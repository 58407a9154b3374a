package io.polder.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** A directory for a while. Closing it deletes it, as far as that goes. */
record Scratch(Path path) implements AutoCloseable {
    /** @param parent is made if need be */
    static Scratch in(Path parent) throws IOException {
        return new Scratch(Files.createDirectories(parent.resolve(".polder-" + UUID.randomUUID())));
    }

    @Override
    public void close() {
        try {
            delete(path);
        } catch (IOException e) {
            System.err.println(path + " could not be deleted: " + e.getMessage());
        }
    }

    /** A file, or a directory with all that is in it; nothing if it is not there. */
    static void delete(Path path) throws IOException {
        List<Path> innermostFirst;
        try (Stream<Path> each = Files.walk(path)) {
            innermostFirst = each.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException e) {
            return;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path each : innermostFirst) {
            Files.deleteIfExists(each);
        }
    }
}
