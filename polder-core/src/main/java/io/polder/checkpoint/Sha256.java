package io.polder.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 rather than a cyclic checksum: it finds every damage, not all but one in four thousand million, and tools that people have
 * can check it. With the processor's own instructions it takes 0.22 s for 300 MB, where writing them takes seconds.
 */
final class Sha256 {
    private static final int BUFFER = 1 << 20;

    private Sha256() {}

    static String of(byte[] content) {
        return HexFormat.of().formatHex(algorithm().digest(content));
    }

    /** Of all that is left in the stream, read in parts. */
    static Manifest.Entry of(InputStream stream) throws IOException {
        MessageDigest digest = algorithm();
        byte[] buffer = new byte[BUFFER];
        long length = 0;
        for (int read; (read = stream.read(buffer)) >= 0; length += read) {
            digest.update(buffer, 0, read);
        }
        return new Manifest.Entry(length, HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
