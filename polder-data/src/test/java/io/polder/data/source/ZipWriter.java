package io.polder.data.source;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes zip archives by the specification, and, on request, as nobody should. */
final class ZipWriter {
    static final int FILE = 0100644;
    static final int LINK = 0120777;
    static final int FIFO = 0010644;

    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();
    private final ByteArrayOutputStream list = new ByteArrayOutputStream();
    private int entries;
    private boolean wide;

    /** From here on as archives of more than 4 GB are: Zip64. */
    ZipWriter wide() {
        wide = true;
        return this;
    }

    ZipWriter file(String name, byte[] contents) {
        return entry(name, FILE, contents, contents.length, true);
    }

    ZipWriter stored(String name, byte[] contents) {
        return entry(name, FILE, contents, contents.length, false);
    }

    ZipWriter directory(String name) {
        return entry(name + "/", 0040755, new byte[0], 0, false);
    }

    /** Promises one size and packs what it is given. */
    ZipWriter entry(String name, int mode, byte[] contents, long promised, boolean deflate) {
        byte[] packed = deflate ? deflated(contents) : contents;
        int offset = archive.size();
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        var sum = new CRC32();
        sum.update(contents);
        archive.writeBytes(little(30)
                .putInt(0x04034b50)
                .putShort((short) 20)
                .putShort((short) 0x800)
                .putShort((short) (deflate ? 8 : 0))
                .putInt(0)
                .putInt((int) sum.getValue())
                .putInt(packed.length)
                .putInt((int) promised)
                .putShort((short) text.length)
                .putShort((short) 0)
                .array());
        archive.writeBytes(text);
        archive.writeBytes(packed);
        listed(text, mode, deflate, (int) sum.getValue(), packed.length, (int) promised, offset);
        return this;
    }

    /** Another name for the bytes of the first file. */
    ZipWriter again(String name, byte[] contents) {
        byte[] packed = deflated(contents);
        var sum = new CRC32();
        sum.update(contents);
        listed(
                name.getBytes(StandardCharsets.UTF_8),
                FILE,
                true,
                (int) sum.getValue(),
                packed.length,
                contents.length,
                0);
        return this;
    }

    private void listed(byte[] name, int mode, boolean deflate, int crc, int packed, int size, int offset) {
        list.writeBytes(little(46)
                .putInt(0x02014b50)
                .putShort((short) (3 << 8 | 20))
                .putShort((short) 20)
                .putShort((short) 0x800)
                .putShort((short) (deflate ? 8 : 0))
                .putInt(0)
                .putInt(crc)
                .putInt(wide ? -1 : packed)
                .putInt(wide ? -1 : size)
                .putShort((short) name.length)
                .putShort((short) (wide ? 28 : 0))
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) 0)
                .putInt(mode << 16)
                .putInt(wide ? -1 : offset)
                .array());
        list.writeBytes(name);
        if (wide) {
            list.writeBytes(little(28)
                    .putShort((short) 1)
                    .putShort((short) 24)
                    .putLong(size)
                    .putLong(packed)
                    .putLong(offset)
                    .array());
        }
        entries++;
    }

    byte[] zip() {
        int start = archive.size();
        var whole = new ByteArrayOutputStream();
        whole.writeBytes(archive.toByteArray());
        whole.writeBytes(list.toByteArray());
        if (wide) {
            int end = whole.size();
            whole.writeBytes(little(56)
                    .putInt(0x06064b50)
                    .putLong(44)
                    .putShort((short) 45)
                    .putShort((short) 45)
                    .putInt(0)
                    .putInt(0)
                    .putLong(entries)
                    .putLong(entries)
                    .putLong(list.size())
                    .putLong(start)
                    .array());
            whole.writeBytes(little(20)
                    .putInt(0x07064b50)
                    .putInt(0)
                    .putLong(end)
                    .putInt(1)
                    .array());
        }
        whole.writeBytes(little(22)
                .putInt(0x06054b50)
                .putInt(0)
                .putShort((short) (wide ? -1 : entries))
                .putShort((short) (wide ? -1 : entries))
                .putInt(wide ? -1 : list.size())
                .putInt(wide ? -1 : start)
                .putShort((short) 0)
                .array());
        return whole.toByteArray();
    }

    private static byte[] deflated(byte[] contents) {
        var deflater = new Deflater(9, true);
        deflater.setInput(contents);
        deflater.finish();
        byte[] packed = new byte[contents.length + 1024];
        int length = deflater.deflate(packed);
        deflater.end();
        return Arrays.copyOf(packed, length);
    }

    private static ByteBuffer little(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
