package io.polder.metrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.SyncFailedException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file that whole records are added to, while a run must go on whatever the disk does: a record that cannot be written waits
 * in memory for the next one, up to 4 MB of them, and one sentence warns of it.
 *
 * <p>Not a channel: that closes for good when its thread is interrupted, which is how a run is asked to stop.
 */
final class GrowingFile implements AutoCloseable {
    private static final int MOST_WAITING = 4 << 20;

    private final Path file;
    private final Consumer<String> warnings;
    private final RandomAccessFile access;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private long end;
    private boolean warned;

    /** Goes on at the end of what is there; where nothing is, it is made. */
    GrowingFile(Path file, Consumer<String> warnings) throws IOException {
        this.file = file;
        this.warnings = warnings;
        access = new RandomAccessFile(file.toFile(), "rw");
        end = access.length();
    }

    synchronized void add(byte[] record) {
        if (waiting.size() + record.length <= MOST_WAITING) {
            waiting.writeBytes(record);
        }
        write();
    }

    private void write() {
        try {
            // At a position, not at the end: what a full disk took of a record is written over.
            access.seek(end);
            access.write(waiting.toByteArray());
            end += waiting.size();
            waiting.reset();
            warned = false;
        } catch (IOException e) {
            if (!warned) {
                warned = true;
                warnings.accept("cannot write to " + file + " (" + e.getMessage()
                        + "): the run goes on and its records wait in memory; make room on the disk");
            }
        }
    }

    synchronized void sync() throws IOException {
        if (waiting.size() > 0) {
            write();
        }
        try {
            access.getFD().sync();
        } catch (SyncFailedException e) {
            throw new IOException("cannot write " + file + " to the disk: make room on it", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (waiting.size() > 0) {
            write();
        }
        access.close();
    }
}
