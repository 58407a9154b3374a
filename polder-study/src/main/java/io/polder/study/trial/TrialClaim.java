package io.polder.study.trial;

import io.polder.files.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The right to run a trial, which one process has at a time. The operating system frees it when the process ends, however it ends: there
 * is nothing to clean up after a crash. Across machines it is as good as the locks of the file system they share.
 */
final class TrialClaim implements AutoCloseable {
    static final String FILE = "claim";

    /** A second channel in this process must not even be opened: on POSIX systems closing it would free the lock of the first. */
    private static final Set<Path> HELD_HERE = new HashSet<>();

    private final Path directory;
    private final FileChannel channel;

    private TrialClaim(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * @param trial its directory, which must be there
     * @return empty if another has it
     */
    static Optional<TrialClaim> take(Path trial) throws IOException {
        synchronized (HELD_HERE) {
            Path directory = trial.toRealPath();
            if (HELD_HERE.contains(directory)) {
                return Optional.empty();
            }
            FileChannel channel = open(directory.resolve(FILE));
            try {
                if (channel.tryLock() == null) {
                    channel.close();
                    return Optional.empty();
                }
            } catch (IOException e) {
                channel.close();
                throw new IOException(
                        trial + " cannot be locked (" + e.getMessage() + "): the store needs a file system with locks",
                        e);
            }
            HELD_HERE.add(directory);
            return Optional.of(new TrialClaim(directory, channel));
        }
    }

    private static FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException(
                    file + " cannot be opened (" + Reason.of(e) + "): move away what is there, or let it be written to",
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (HELD_HERE) {
            if (channel.isOpen()) {
                HELD_HERE.remove(directory);
                channel.close();
            }
        }
    }
}
