package io.polder.metrics;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Follows a {@code metrics.jsonl} that grows: each {@link #poll()} returns the lines since the last one. A file that was cut or
 * rewritten, as resuming does, is read from its start again, and the update says so. A last line without its line feed waits
 * for the rest of it.
 *
 * <p>The file is open only while it is polled, and at most a megabyte is read at once. Not for several threads.
 */
public final class MetricsTail {
    private static final int CHUNK = 1 << 20;

    /** No record is that long; what is, is damaged. */
    static final int LONGEST_LINE = 1 << 16;

    /** Read again before each poll: times and losses differ, so a rewritten file shows here. */
    private static final int GUARD = 256;

    private final Path file;
    private long offset;
    private byte[] guard = new byte[0];
    private boolean inLongLine;

    /**
     * What is new.
     *
     * @param restarted forget all that was read before
     * @param records in the order of the file
     * @param damaged lines that could not be read
     * @param more whether to poll again at once
     */
    public record Update(boolean restarted, List<RunRecord> records, int damaged, boolean more) {}

    /** The file need not be there yet. */
    public MetricsTail(Path file) {
        this.file = file;
    }

    public Update poll() throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException(file + " is not a plain file: move away what is there"); // a pipe would be waited for
        }
        // Not a channel: that fails on a thread that was interrupted, as one that writes its last report may be.
        try (var access = new RandomAccessFile(file.toFile(), "r")) {
            boolean restarted = offset > 0 && !isWhereWeLeft(access);
            if (restarted) {
                startAgain();
            }
            byte[] bytes = read(access, offset, (int) Math.min(CHUNK, Math.max(0, access.length() - offset)));
            return split(bytes, restarted);
        } catch (FileNotFoundException e) {
            if (Files.exists(file)) {
                throw e; // there, but not for us to read
            }
            boolean restarted = offset > 0;
            startAgain();
            return new Update(restarted, List.of(), 0, false);
        }
    }

    private void startAgain() {
        offset = 0;
        guard = new byte[0];
        inLongLine = false;
    }

    private boolean isWhereWeLeft(RandomAccessFile access) throws IOException {
        return access.length() >= offset && Arrays.equals(read(access, offset - guard.length, guard.length), guard);
    }

    private Update split(byte[] bytes, boolean restarted) {
        List<RunRecord> records = new ArrayList<>();
        int damaged = 0;
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\n') {
                continue;
            }
            if (inLongLine || i - start > LONGEST_LINE) {
                damaged++;
            } else {
                try {
                    JsonLine.decode(Arrays.copyOfRange(bytes, start, i)).ifPresent(records::add);
                } catch (IOException e) {
                    damaged++;
                }
            }
            inLongLine = false;
            start = i + 1;
        }
        if (bytes.length - start > LONGEST_LINE) {
            inLongLine = true;
            start = bytes.length;
        }
        offset += start;
        if (start > 0) {
            guard = Arrays.copyOfRange(bytes, Math.max(0, start - GUARD), start);
        }
        return new Update(restarted, records, damaged, bytes.length == CHUNK);
    }

    /** Fewer where the file was cut in this moment. */
    private static byte[] read(RandomAccessFile access, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        access.seek(position);
        int read = 0;
        while (read < length) {
            int count = access.read(bytes, read, length - read);
            if (count < 0) {
                return Arrays.copyOf(bytes, read);
            }
            read += count;
        }
        return bytes;
    }
}
