package io.polder.data.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipEncoding;
import org.apache.commons.compress.archivers.zip.ZipEncodingHelper;
import org.apache.commons.compress.utils.ArchiveUtils;

/**
 * Goes through the files of a tar archive in the order they lie there, without writing any to disk.
 *
 * <p>An archive is a row of blocks of 512 bytes: a header, the file's bytes filled up to a whole block, the next
 * header; a block of zeros ends it. Nothing is allocated by what a header says, and an archive that a careless program
 * could be harmed by (names that lead elsewhere, links) is refused although this one could not be.
 *
 * <p>Commons Compress reads the headers. Its stream does not go from one to the next: it takes an archive that is cut short at a
 * header for one that ends there and a wrong checksum for right, has no bound, and meets a row of POSIX notes by calling itself.
 */
final class TarReader {
    /** @param at where its bytes begin in the archive, {@code size} how many there are */
    record Entry(String name, long at, long size, InputStream contents) {}

    static final int BLOCK = 512;

    /** The longest note of POSIX that is looked at: some hundred bytes, unless somebody means harm. */
    private static final int MOST_NOTE = 1 << 16;

    private static final ZipEncoding UTF_8 = ZipEncodingHelper.getZipEncoding("UTF-8");

    private final InputStream stream;
    private final String archive;
    private final long mostBytes;
    private final byte[] block = new byte[BLOCK];
    private long bytesRead;
    private String name;
    private String nameInNote;
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
            if (ArchiveUtils.isArrayZero(block, BLOCK)) {
                // What fills up the last record, and what makes gzip check its sum.
                while (read(block, 0, BLOCK) > 0) {}
                return null;
            }
            TarArchiveEntry header = header();
            name = nameInNote == null ? header.getName() : nameInNote;
            nameInNote = null;
            requireHarmlessName();
            leftInEntry = header.getSize();
            padding = (int) (-leftInEntry & (BLOCK - 1));
            if (leftInEntry > mostBytes - bytesRead) {
                throw fault("promises %d bytes of %s, too many for an archive of at most %d: give another archive"
                        .formatted(leftInEntry, name, mostBytes));
            }
            switch (header.getLinkFlag()) {
                case 0, '0' -> {
                    return new Entry(name, bytesRead, leftInEntry, new Contents());
                }
                case '5', 'g' -> {}
                // POSIX notes, on times and owners for the most part. They may also make a file longer than 8 GB: its
                // size fails here.
                case 'x' -> nameInNote = nameInNote();
                case '1', '2' ->
                    throw fault(
                            "has a link, %s: unpack it where links do no harm and give the directory".formatted(name));
                default ->
                    throw fault("has %s, neither file nor directory: unpack it and give the directory".formatted(name));
            }
        }
    }

    /** The name of the file that follows, where it is too long or not plain enough for a header; null where the note is of other things. */
    private String nameInNote() throws IOException {
        if (leftInEntry > MOST_NOTE) {
            throw fault("has a note of %d bytes on a file: give another archive".formatted(leftInEntry));
        }
        byte[] note = new Contents().readAllBytes();
        String found = null;
        for (int at = 0; at < note.length; ) {
            int length = 0; // of the whole line, in digits at its beginning
            int digit = at;
            for (; digit < note.length && Character.isDigit(note[digit]) && length <= MOST_NOTE; digit++) {
                length = 10 * length + note[digit] - '0';
            }
            if (digit == note.length || note[digit] != ' ' || length < digit - at + 2 || length > note.length - at) {
                throw damagedHeader();
            }
            String line = new String(note, digit + 1, at + length - digit - 2, StandardCharsets.UTF_8);
            found = line.startsWith("path=") ? line.substring("path=".length()) : found;
            at += length;
        }
        return found;
    }

    private void finishEntry() throws IOException {
        for (long skipped = 1; skipped > 0 && leftInEntry > 0; leftInEntry -= skipped) {
            skipped = stream.skip(leftInEntry);
            bytesRead += skipped;
        }
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

    private TarArchiveEntry header() throws IOException {
        return header(block).orElseThrow(this::damagedHeader);
    }

    /** What a block says; empty where it is no header, or a damaged one. */
    static Optional<TarArchiveEntry> header(byte[] block) {
        try {
            // Leniently: owners, modes and times may be anything.
            var header = new TarArchiveEntry(block, UTF_8, true);
            return header.isCheckSumOK() ? Optional.of(header) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
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
