package io.polder.image;

/** The one thing that is wanted of what a camera noted of a picture: how it was held. */
final class Exif {
    private static final int ORIENTATION = 0x0112;
    private static final int SHORT = 3;
    private static final int ENTRY = 12;
    private static final byte[] PREFIX = {'E', 'x', 'i', 'f', 0, 0};

    private final byte[] file;
    private final int start;
    private final int end;
    private final boolean littleEndian;

    private Exif(byte[] file, int start, int end) {
        this.file = file;
        this.start = start;
        this.end = end;
        this.littleEndian = start < end && file[start] == 'I';
    }

    /**
     * @param start of the note, with or without the word Exif before it
     * @return 1 to 8; 1, which is upright, also for a note that has none or cannot be read: it is no reason to refuse a picture
     */
    static int orientation(byte[] file, int start, int end) {
        boolean prefixed = true;
        for (int i = 0; i < PREFIX.length; i++) {
            prefixed &= start + i < end && file[start + i] == PREFIX[i];
        }
        return new Exif(file, prefixed ? start + PREFIX.length : start, end).orientation();
    }

    /** TIFF's layout: the order of bytes, 42, where the entries are; their number; of each its tag, type, count and value. */
    private int orientation() {
        boolean sound = number(0, 2) == (littleEndian ? 0x4949 : 0x4d4d) && number(2, 2) == 42;
        long entries = sound ? number(4, 4) : -1;
        long count = number(entries, 2);
        for (long at = entries + 2; count-- > 0 && at + ENTRY <= end - start; at += ENTRY) {
            if (number(at, 2) == ORIENTATION && number(at + 2, 2) == SHORT) {
                long value = number(at + 8, 2);
                return value >= 1 && value <= 8 ? (int) value : 1;
            }
        }
        return 1;
    }

    /** -1 where there are no such bytes. */
    private long number(long at, int bytes) {
        if (at < 0 || at + bytes > end - start) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            int next = (int) at + (littleEndian ? bytes - 1 - i : i);
            number = number << 8 | Byte.toUnsignedLong(file[start + next]);
        }
        return number;
    }
}
