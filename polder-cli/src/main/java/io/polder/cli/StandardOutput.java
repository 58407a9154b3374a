package io.polder.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Where results are printed; it remembers why that failed, of which a {@code PrintWriter} says nothing. */
final class StandardOutput extends OutputStream {
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private IOException failure;

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** Empty where all was printed, or whoever read it had enough, as {@code head} has. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure).filter(e -> !"Broken pipe".equals(e.getMessage()));
    }
}
