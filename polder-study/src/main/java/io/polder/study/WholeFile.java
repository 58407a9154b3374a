package io.polder.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file whole or not at all: a reader, or a crash, never meets half of one. */
final class WholeFile {
    private WholeFile() {}

    static void write(Path file, String content) throws IOException {
        Path target = file.toAbsolutePath();
        if (!Files.isDirectory(target.getParent())) { // Java 17 refuses to "create" a link to a directory
            Files.createDirectories(target.getParent());
        }
        // Not createTempFile: that one is private to its owner, and results are for others to read.
        Path draft = target.resolveSibling(
                "." + target.getFileName() + "." + ProcessHandle.current().pid());
        try {
            Files.writeString(draft, content);
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
