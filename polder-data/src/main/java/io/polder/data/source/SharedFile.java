package io.polder.data.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A file that many threads read at once: a handle has one position, so each has one of its own while it reads. (A channel can
 * be read at many, but an interrupt of one thread would close it for all; and what is mapped into memory ends the virtual
 * machine or a thread of it when the file is cut short.)
 */
final class SharedFile implements Closeable {
    private final Path path;
    private final ConcurrentLinkedDeque<RandomAccessFile> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    SharedFile(Path path) {
        this.path = path;
    }

    /** To be given back. */
    RandomAccessFile lend() throws IOException {
        if (closed) {
            throw new IOException(path + " is closed");
        }
        RandomAccessFile file = idle.poll();
        return file == null ? new RandomAccessFile(path.toFile(), "r") : file;
    }

    void giveBack(RandomAccessFile file) throws IOException {
        if (closed) {
            file.close();
        } else {
            idle.push(file);
        }
    }

    /** Not to be called while others read. */
    @Override
    public void close() throws IOException {
        closed = true;
        for (RandomAccessFile file = idle.poll(); file != null; file = idle.poll()) {
            file.close();
        }
    }
}
