package io.polder.metrics;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            boolean restarted = offset > 0 && !isWhereWeLeft(channel);
            if (restarted) {
                startAgain();
            }
            byte[] bytes = read(channel, offset, (int) Math.min(CHUNK, Math.max(0, channel.size() - offset)));
            return split(bytes, restarted);
        } catch (NoSuchFileException e) {
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

    private boolean isWhereWeLeft(FileChannel channel) throws IOException {
        return channel.size() >= offset && Arrays.equals(read(channel, offset - guard.length, guard.length), guard);
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

    private static byte[] read(FileChannel channel, long position, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {
            // until it is full, or the file was cut in this moment
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
