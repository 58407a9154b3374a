package io.polder.data.source;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The bytes of one file after another, in an array that grows with what is really there and is used again. */
final class FileBytes {
    private static final int FIRST = 1 << 16;

    /** What is longer is not kept for the next file. */
    private static final int MOST_KEPT = 1 << 24;

    private byte[] bytes = new byte[FIRST];
    private int length;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** For so many bytes that are not read by {@link #fill}; it may be longer. */
    byte[] room(int most) {
        if (bytes.length < most) {
            bytes = new byte[most];
        }
        return bytes;
    }

    void set(byte[] from, int start, int count) {
        length = Math.max(0, count);
        System.arraycopy(from, Math.max(0, start), room(length), 0, length);
    }

    /** Reads to the end of the stream, or until there are more than {@code most} bytes: then false. */
    boolean fill(InputStream stream, int most) throws IOException {
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[FIRST];
        }
        length = 0;
        while (true) {
            int count = stream.readNBytes(bytes, length, bytes.length - length);
            length += count;
            if (length > most) {
                return false;
            }
            if (length < bytes.length) {
                return true;
            }
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
    }
}
