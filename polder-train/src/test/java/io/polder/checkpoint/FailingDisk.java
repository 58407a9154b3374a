package io.polder.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;

/** The real disk, until its n-th operation. It does not wait for the hardware, though: whether it did shows when the power goes. */
class FailingDisk extends Disk {
    enum Mode {
        /** That operation fails. */
        ONCE,
        /** That operation is done, and reported as failed. */
        ONCE_AFTERWARDS,
        /** That operation fails, and all after it: the disk is gone. */
        FOREVER
    }

    private final Disk real = new Disk();
    private final int failing;
    private final Mode mode;
    private int operations;

    /** Never fails. */
    FailingDisk() {
        this(Integer.MAX_VALUE, Mode.ONCE);
    }

    FailingDisk(int failing, Mode mode) {
        this.failing = failing;
        this.mode = mode;
    }

    boolean hasFailed() {
        return operations >= failing;
    }

    private interface Operation<T> {
        T run() throws IOException;
    }

    private <T> T run(Path path, Operation<T> operation) throws IOException {
        operations++;
        boolean fails = mode == Mode.FOREVER ? operations >= failing : operations == failing;
        if (!fails) {
            return operation.run();
        }
        if (mode == Mode.ONCE_AFTERWARDS) {
            operation.run();
        }
        throw new FileSystemException(path.toString(), null, "an injected failure");
    }

    private interface Action {
        void run() throws IOException;
    }

    private void act(Path path, Action action) throws IOException {
        run(path, () -> {
            action.run();
            return null;
        });
    }

    @Override
    List<String> names(Path directory, int most) throws IOException {
        return run(directory, () -> real.names(directory, most));
    }

    @Override
    BasicFileAttributes attributes(Path path) throws IOException {
        return run(path, () -> real.attributes(path));
    }

    @Override
    InputStream open(Path file) throws IOException {
        return run(file, () -> real.open(file));
    }

    @Override
    void createDirectories(Path directory) throws IOException {
        act(directory, () -> real.createDirectories(directory));
    }

    @Override
    void createDirectory(Path directory) throws IOException {
        act(directory, () -> real.createDirectory(directory));
    }

    /** What a full disk does: it takes a part. */
    @Override
    void write(Path file, byte[] content) throws IOException {
        try {
            act(file, () -> real.write(file, content));
        } catch (FileSystemException e) {
            if (mode == Mode.ONCE) {
                real.write(file, Arrays.copyOf(content, content.length / 2));
            }
            throw e;
        }
    }

    @Override
    void sync(Path file) throws IOException {
        act(file, () -> {});
    }

    @Override
    void syncDirectory(Path directory) throws IOException {
        act(directory, () -> {});
    }

    @Override
    void move(Path from, Path to) throws IOException {
        act(from, () -> real.move(from, to));
    }

    @Override
    void delete(Path path) throws IOException {
        act(path, () -> real.delete(path));
    }
}
