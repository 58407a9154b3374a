package io.polder.data;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Goes through the files of a tar archive in the order they lie there, without writing any to disk.
 *
 * <p>An archive is a row of blocks of 512 bytes: a header, the file's bytes filled up to a whole block, the next
 * header; a block of zeros ends it. Nothing is allocated by what a header says, and an archive that a careless program
 * could be harmed by (names that lead elsewhere, links) is refused although this one could not be.
 */
final class TarReader {
    record Entry(String name, InputStream contents) {}

    private static final int BLOCK = 512;

    private final InputStream stream;
    private final String archive;
    private final long mostBytes;
    private final byte[] block = new byte[BLOCK];
    private long bytesRead;
    private String name;
    private long leftInEntry;
    private int padding;

    /**
     * @param archive what messages call it
     * @param mostBytes how long it may be: compressed archives can be endless
     */
    TarReader(InputStream stream, String archive, long mostBytes) {
        this.stream = stream;
        this.archive = archive;
        this.mostBytes = mostBytes;
    }

    /** The next file, whose contents end with the call after this; null after the last, when all bytes were read. */
    Entry next() throws IOException {
        while (true) {
            finishEntry();
            requireBlock(BLOCK);
            if (isZero(block)) {
                // What fills up the last record, and what makes gzip check its sum.
                while (read(block, 0, BLOCK) > 0) {}
                return null;
            }
            requireChecksum();
            name = nameInHeader();
            requireHarmlessName();
            leftInEntry = octal(124, 12);
            padding = (int) (-leftInEntry & (BLOCK - 1));
            if (leftInEntry > mostBytes - bytesRead) {
                throw fault("promises %d bytes of %s, too many for an archive of at most %d: give another archive"
                        .formatted(leftInEntry, name, mostBytes));
            }
            switch (block[156]) {
                case 0, '0' -> {
                    return new Entry(name, new Contents());
                }
                // Directories, and POSIX notes on times and owners. The notes may also rename a file or make it longer
                // than 8 GB; a file that needs them for that is not found, or its size fails here.
                case '5', 'x', 'g' -> {}
                case '1', '2' ->
                    throw fault(
                            "has a link, %s: unpack it where links do no harm and give the directory".formatted(name));
                default ->
                    throw fault("has %s, neither file nor directory: unpack it and give the directory".formatted(name));
            }
        }
    }

    private void finishEntry() throws IOException {
        new Contents().transferTo(OutputStream.nullOutputStream());
        requireBlock(padding);
        padding = 0;
    }

    private void requireBlock(int length) throws IOException {
        if (read(block, 0, length) < length) {
            throw fault("is cut short after %d bytes: fetch it again".formatted(bytesRead));
        }
    }

    /** Reads as much as there is, up to the length: all reading goes through here, where it is counted. */
    private int read(byte[] destination, int offset, int length) throws IOException {
        int count = stream.readNBytes(destination, offset, length);
        bytesRead += count;
        if (bytesRead > mostBytes) {
            throw fault("goes on after %d bytes: give another archive".formatted(mostBytes));
        }
        return count;
    }

    private void requireChecksum() throws IOException {
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            // The checksum itself counts as eight spaces.
            sum += i >= 148 && i < 156 ? ' ' : Byte.toUnsignedInt(block[i]);
        }
        if (octal(148, 8) != sum) {
            throw damagedHeader();
        }
    }

    private String nameInHeader() throws IOException {
        String last = text(0, 100);
        // POSIX keeps the front of a long name here; GNU, which has a space after "ustar", other things.
        boolean posix = text(257, 6).equals("ustar") && block[262] == 0;
        String prefix = posix ? text(345, 155) : "";
        return prefix.isEmpty() ? last : prefix + "/" + last;
    }

    private void requireHarmlessName() throws IOException {
        if (!ArchiveNames.isLegible(name)) {
            throw damagedHeader();
        }
        if (!ArchiveNames.staysInside(name)) {
            throw fault("has a file that would be unpacked elsewhere, %s: do not trust it, give another archive"
                    .formatted(name));
        }
    }

    private String text(int offset, int length) {
        int end = offset;
        while (end < offset + length && block[end] != 0) {
            end++;
        }
        return new String(block, offset, end - offset, StandardCharsets.UTF_8);
    }

    /** At most twelve digits, so it cannot overflow. */
    private long octal(int offset, int length) throws IOException {
        String digits = text(offset, length).strip();
        if (!digits.matches("[0-7]+")) {
            throw damagedHeader();
        }
        return Long.parseLong(digits, 8);
    }

    private static boolean isZero(byte[] bytes) {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private IOException damagedHeader() {
        return fault("is no tar archive or has a damaged header before byte %d: fetch it again".formatted(bytesRead));
    }

    private IOException fault(String sentence) {
        return new IOException(archive + " " + sentence);
    }

    /** The bytes left of the current entry. */
    private final class Contents extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] destination, int offset, int length) throws IOException {
            if (leftInEntry == 0) {
                return -1;
            }
            int wanted = (int) Math.min(length, leftInEntry);
            int count = TarReader.this.read(destination, offset, wanted);
            leftInEntry -= count;
            if (count < wanted) {
                throw fault("is cut short: %d bytes of %s are missing; fetch it again".formatted(leftInEntry, name));
            }
            return count;
        }
    }
}
