package io.polder.files;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Waits until the disk has what was written (fsync): what a process wrote survives its own death, not that of the machine. */
public final class Sync {
    /** Windows has no handle to a directory for this; its file systems write a rename to their journal themselves. */
    private static final boolean DIRECTORIES_CAN_BE_OPENED = File.separatorChar == '/';

    private Sync() {}

    /** The content and length of a file. Its name is another matter: that is in the directory. */
    public static void file(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** The names in a directory: files that were made, renamed or deleted in it. */
    public static void directory(Path directory) throws IOException {
        if (DIRECTORIES_CAN_BE_OPENED) {
            try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
