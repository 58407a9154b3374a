package io.polder.checkpoint;

import io.polder.files.Machine;
import io.polder.files.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keeps every other process out of a run's directory, and this one from entering twice. The operating system holds the lock and
 * frees it when the process ends, however it ends: there is nothing to clean up after a crash.
 *
 * <p>The file {@code lock} in the directory stays when the lock is gone. It says who has it, for people; it is not the lock. On
 * network file systems the lock is as good as theirs: NFS 4 has them across machines, others may not.
 */
public final class RunLock implements AutoCloseable {
    /** Its name in the directory. */
    public static final String FILE = "lock";

    private static final Pattern HOLDER = Pattern.compile("process \\d{1,10} on [A-Za-z0-9._-]{1,255}");
    private static final int MOST_BYTES = 1000;
    /** Beyond the text, because Windows lets nobody read what is locked. */
    private static final long LOCKED_BYTE = 1 << 20;

    /** A second channel in this process must not even be opened: on POSIX systems closing it would free the lock of the first. */
    private static final Set<Path> HELD_HERE = new HashSet<>();

    private final Path directory;
    private final FileChannel channel;

    private RunLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * @param run the directory of the run, which must be there
     * @throws IOException if another has it: a sentence with who, if that is known
     */
    public static RunLock take(Path run) throws IOException {
        synchronized (HELD_HERE) {
            Path directory = real(run);
            if (HELD_HERE.contains(directory)) {
                throw inUse(run, "this process already");
            }
            FileChannel channel = open(directory, run);
            Optional<String> otherHolder;
            try {
                otherHolder = lock(channel);
            } catch (IOException e) {
                channel.close();
                throw unlockable(run, e);
            }
            if (otherHolder.isPresent()) {
                channel.close();
                throw inUse(run, otherHolder.get());
            }
            HELD_HERE.add(directory);
            return new RunLock(directory, channel);
        }
    }

    private static Path real(Path run) throws IOException {
        try {
            return run.toRealPath();
        } catch (IOException e) {
            throw unlockable(run, e);
        }
    }

    private static FileChannel open(Path directory, Path run) throws IOException {
        try {
            return FileChannel.open(
                    directory.resolve(FILE),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw unlockable(run, e);
        }
    }

    /** Who else has the lock; nobody if this process has it now. */
    private static Optional<String> lock(FileChannel channel) throws IOException {
        if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
            ByteBuffer text = ByteBuffer.allocate(MOST_BYTES);
            channel.read(text, 0);
            String holder = new String(text.array(), 0, text.position(), StandardCharsets.ISO_8859_1).strip();
            return Optional.of(HOLDER.matcher(holder).matches() ? holder : "another process");
        }
        channel.truncate(0);
        String self = "process " + ProcessHandle.current().pid() + " on " + new Machine().host() + "\n";
        channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.ISO_8859_1)), 0);
        return Optional.empty();
    }

    private static IOException inUse(Path run, String holder) {
        return new IOException(run + " is in use by " + holder + ": wait until it ends, or choose another directory");
    }

    private static IOException unlockable(Path run, IOException e) {
        return new IOException(
                run + " cannot be locked (" + Reason.of(e) + "): choose a directory where files can be", e);
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
