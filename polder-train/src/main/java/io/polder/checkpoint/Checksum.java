package io.polder.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * CRC-32C and CRC-32 side by side, 16 hexadecimal digits: together a cyclic checksum of 64 bits. It misses no damage of up to 64
 * neighbouring bits, and of any other one in 2⁶⁴. It is not for telling friend from foe: whoever can write a checkpoint can write its
 * manifest too.
 *
 * <p>Not SHA-256: Java runs that fast only after its second compiler has seen it, which the launcher leaves out. Both of these
 * are single instructions from the start.
 */
final class Checksum {
    private static final int BUFFER = 128 << 10;

    private Checksum() {}

    static String of(byte[] content) {
        var first = new CRC32C();
        var second = new CRC32();
        first.update(content);
        second.update(content);
        return text(first, second);
    }

    /** Of all that is left in the stream, read in parts. */
    static Manifest.Entry of(InputStream stream) throws IOException {
        var first = new CRC32C();
        var second = new CRC32();
        byte[] buffer = new byte[BUFFER];
        long length = 0;
        for (int read; (read = stream.read(buffer)) >= 0; length += read) {
            first.update(buffer, 0, read);
            second.update(buffer, 0, read);
        }
        return new Manifest.Entry(length, text(first, second));
    }

    private static String text(CRC32C first, CRC32 second) {
        return String.format("%08x%08x", first.getValue(), second.getValue());
    }
}
