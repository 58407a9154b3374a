package io.polder.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * Writes a file whole or not at all: a reader, or a crash of process or machine, meets the old one or the new one, never a
 * part. It is written beside its target, forced to disk, and renamed. Missing directories are made.
 */
public final class WholeFile {
    /** Writes what the file shall have. */
    @FunctionalInterface
    public interface Content {
        /** @param draft where to write: nothing is there yet */
        void writeTo(Path draft) throws IOException;
    }

    /** How a sentence ends that says why something cannot be written. */
    public static final String MAKE_ROOM = ": make room or choose another place";

    private WholeFile() {}

    public static void write(Path file, String text) throws IOException {
        write(file, draft -> Files.writeString(draft, text));
    }

    /**
     * @throws IOException a sentence with the file and the cause; the old file is as it was, and nothing is left beside it. What
     *     else {@code content} throws is passed on, with the same effect. A thread that was interrupted writes all the same
     */
    public static void write(Path file, Content content) throws IOException {
        Path target = file.toAbsolutePath();
        // Not createTempFile: that one is private to its owner, and what is written here is for others to read.
        Path draft = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
        boolean interrupted = Thread.interrupted(); // channels close themselves under an interrupted thread
        try {
            // Asked first, because Java 17 takes a link to a directory for a file in the way.
            if (!Files.isDirectory(target.getParent())) {
                Files.createDirectories(target.getParent());
            }
            try {
                content.writeTo(draft);
                Sync.file(draft);
                Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(draft);
            }
            Sync.directory(target.getParent());
        } catch (IOException e) {
            throw new IOException("cannot write " + file + " (" + Reason.of(e) + ")" + MAKE_ROOM, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
