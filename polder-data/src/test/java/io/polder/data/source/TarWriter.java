package io.polder.data.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Writes tar archives as POSIX has them, and, on request, as nobody should. */
final class TarWriter {
    static final int BLOCK = 512;

    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();

    TarWriter file(String name, byte[] contents) {
        return entry(name, '0', contents.length, contents);
    }

    /** Promises one length and writes what it is given, filled up to a whole block. */
    TarWriter entry(String name, char type, long promised, byte[] contents) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644\0" + "0000000\0" + "0000000\0");
        put(header, 124, "%011o\0".formatted(promised) + "00000000000\0");
        header[156] = (byte) type;
        put(header, 257, "ustar\0" + "00");
        seal(header, 0);
        archive.writeBytes(header);
        archive.writeBytes(contents);
        archive.writeBytes(new byte[-contents.length & (BLOCK - 1)]);
        return this;
    }

    byte[] withoutEnd() {
        return archive.toByteArray();
    }

    byte[] tar() {
        archive.writeBytes(new byte[2 * BLOCK]);
        return archive.toByteArray();
    }

    byte[] tarGz() {
        return gzip(tar());
    }

    /** Makes the checksum of the header there right. */
    static void seal(byte[] archive, int header) {
        put(archive, header + 148, "        ");
        int sum = 0;
        for (int i = header; i < header + BLOCK; i++) {
            sum += Byte.toUnsignedInt(archive[i]);
        }
        put(archive, header + 148, "%06o\0 ".formatted(sum));
    }

    static void put(byte[] archive, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, archive, offset, bytes.length);
    }

    static byte[] gzip(byte[] plain) {
        var zipped = new ByteArrayOutputStream();
        try (var stream = new GZIPOutputStream(zipped)) {
            stream.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.toByteArray();
    }
}
