package io.polder.files;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A directory for results, made and tried out before the work begins: nobody wants to learn after three minutes that it cannot be
 * written to. Unless it is kept, what was made is removed again.
 */
public final class OutputDirectory implements AutoCloseable {
    private static final int TRIED_BYTES = 1 << 16;

    private final Path path;
    private final Deque<Path> made;

    private OutputDirectory(Path path, Deque<Path> made) {
        this.path = path;
        this.made = made;
    }

    /** @throws IOException a sentence, if it cannot be made or written to; nothing is left of it then */
    public static OutputDirectory prepare(Path path) throws IOException {
        Deque<Path> made = new ArrayDeque<>();
        for (Path p = path.toAbsolutePath(); p != null && Files.notExists(p); p = p.getParent()) {
            made.add(p); // the innermost first
        }
        var directory = new OutputDirectory(path, made);
        try {
            if (!Files.isDirectory(path)) { // Java 17 refuses to "create" a link to a directory
                Files.createDirectories(path);
            }
            tryOut(path);
            return directory;
        } catch (IOException e) {
            directory.close();
            throw new IOException(
                    "cannot write to the directory " + path + " (" + Reason.of(e) + "): choose another", e);
        }
    }

    /** By a file with something in it: a full disk still has names for empty ones. */
    private static void tryOut(Path directory) throws IOException {
        Path file = Files.createTempFile(directory, ".polder", ".tmp");
        try {
            Files.write(file, new byte[TRIED_BYTES]);
        } finally {
            Files.delete(file);
        }
    }

    public Path path() {
        return path;
    }

    public void keep() {
        made.clear();
    }

    @Override
    public void close() throws IOException {
        try {
            for (Path p : made) {
                Files.deleteIfExists(p);
            }
        } catch (DirectoryNotEmptyException e) {
            // Somebody else uses it by now.
        }
    }
}
