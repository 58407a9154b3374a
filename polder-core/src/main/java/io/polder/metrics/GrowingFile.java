package io.polder.metrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file that whole records are added to, while a run must go on whatever the disk does: a record that cannot be written waits
 * in memory for the next one, up to 4 MB of them, and one sentence warns of it.
 */
final class GrowingFile implements AutoCloseable {
    private static final int MOST_WAITING = 4 << 20;

    private final Path file;
    private final Consumer<String> warnings;
    private final FileChannel channel;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private long end;
    private boolean warned;

    GrowingFile(Path file, Consumer<String> warnings, OpenOption... options) throws IOException {
        this.file = file;
        this.warnings = warnings;
        channel = FileChannel.open(file, options);
        end = channel.size();
    }

    void add(byte[] record) {
        if (waiting.size() + record.length <= MOST_WAITING) {
            waiting.writeBytes(record);
        }
        try {
            var bytes = ByteBuffer.wrap(waiting.toByteArray());
            // At a position, not at the end: what a full disk took of a record is written over.
            while (bytes.hasRemaining()) {
                channel.write(bytes, end + bytes.position());
            }
            end += bytes.limit();
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

    void sync() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
