package io.polder.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes PNG files by the specification, also of kinds and sizes that nobody should write. */
public final class PngWriter {
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    public PngWriter(int height, int width, int bits, int colourType) {
        file.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
        chunk(
                "IHDR",
                ByteBuffer.allocate(13)
                        .putInt(width)
                        .putInt(height)
                        .put((byte) bits)
                        .put((byte) colourType)
                        .array());
    }

    /** Rows, each after a byte for its filter. */
    public PngWriter data(byte[] rows) {
        var deflater = new Deflater();
        deflater.setInput(rows);
        deflater.finish();
        byte[] zipped = new byte[rows.length + 64];
        int length = deflater.deflate(zipped);
        deflater.end();
        return chunk("IDAT", java.util.Arrays.copyOf(zipped, length));
    }

    PngWriter chunk(String type, byte[] contents) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        var sum = new CRC32();
        sum.update(name);
        sum.update(contents);
        file.writeBytes(ByteBuffer.allocate(4).putInt(contents.length).array());
        file.writeBytes(name);
        file.writeBytes(contents);
        file.writeBytes(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
        return this;
    }

    public byte[] file() {
        return chunk("IEND", new byte[0]).file.toByteArray();
    }
}
