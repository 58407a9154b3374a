package io.polder.data;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * A zip archive, read where it is: its list of contents once, its files when they are asked for. Zip64 (more than 65,535
 * files, more than 4 GB) is understood.
 *
 * <p>Java's own {@code ZipFile} does not tell links from files and reads under one lock. This one refuses links, names that
 * lead elsewhere, files that lie over each other and files that promise more than their bytes can hold; what is promised is
 * believed only so far as it turns up, and the checksum of each file is checked.
 *
 * <p>The list has no checksum. But its count, place and length must agree, and before its bytes each file has its name once
 * more, which is compared when the file is read, or by {@link #checkUnread} where it is not going to be. So damage to the
 * list is told, and takes no file away.
 */
final class ZipTree implements FileTree {
    private record Entry(long offset, long packed, long size, int method, long crc, boolean encrypted) {}

    private static final int END = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int END64 = 0x06064b50;
    private static final int END64_BYTES = 56;
    private static final int LOCATOR64 = 0x07064b50;
    private static final int LOCATOR64_BYTES = 20;
    private static final int LISTED = 0x02014b50;
    private static final int LISTED_BYTES = 46;
    private static final int LOCAL = 0x04034b50;
    private static final int LOCAL_BYTES = 30;
    private static final int STORED = 0;
    private static final int DEFLATED = 8;

    /** What one byte can be blown up to at most, by the way Deflate is made. */
    private static final int MOST_RATIO = 1032;

    /** Four times the files of ImageNet. */
    private static final int MOST_ENTRIES = 6_000_000;

    /** What an entry takes in memory besides its name. */
    private static final int ENTRY_MEMORY = 160;

    /** The longest path that Linux opens. */
    private static final int MOST_NAME_BYTES = 4096;

    private final Path path;

    /** Directories among them: their names end in a slash. */
    private final TreeMap<String, Entry> entries = new TreeMap<>();

    /** Where the entries begin, in order, and at last where the list does. */
    private final long[] starts;

    private final SharedFile shared;

    ZipTree(Path path) throws IOException {
        this.path = path;
        this.shared = new SharedFile(path);
        try (var file = new RandomAccessFile(path.toFile(), "r")) {
            long list = list(file);
            this.starts = starts(list);
        } catch (EOFException e) {
            throw new IOException(path + " is damaged or cut short: fetch it again", e);
        }
    }

    /** @return where the list begins */
    private long list(RandomAccessFile file) throws IOException {
        long length = file.length();
        int tail = (int) Math.min(length, END_BYTES + 0xffff);
        ByteBuffer end = bytes(file, length - tail, tail);
        int at = tail - END_BYTES;
        while (at >= 0 && !(end.getInt(at) == END && at + END_BYTES + unsigned(end.getShort(at + 20)) <= tail)) {
            at--;
        }
        if (at < 0) {
            throw fault("is no zip archive or cut short: give another or fetch it again");
        }
        long count = unsigned(end.getShort(at + 10));
        long start = Integer.toUnsignedLong(end.getInt(at + 16));
        long bytes = Integer.toUnsignedLong(end.getInt(at + 12));
        long endOffset = length - tail + at;
        requireAgreed(count, unsigned(end.getShort(at + 8)));
        if (count == 0xffff || start == 0xffffffffL || bytes == 0xffffffffL) {
            if (endOffset >= LOCATOR64_BYTES) {
                ByteBuffer locator = bytes(file, endOffset - LOCATOR64_BYTES, LOCATOR64_BYTES);
                if (locator.getInt(0) == LOCATOR64) {
                    endOffset = locator.getLong(8);
                    requireInside(endOffset, END64_BYTES, length);
                    ByteBuffer end64 = bytes(file, endOffset, END64_BYTES);
                    if (end64.getInt(0) != END64) {
                        throw damagedList();
                    }
                    count = end64.getLong(32);
                    bytes = end64.getLong(40);
                    start = end64.getLong(48);
                    requireAgreed(count, end64.getLong(24));
                }
            }
        }
        requireInside(start, bytes, endOffset);
        // What is between the list and the end would be entries that nobody counted.
        requireAgreed(start + bytes, endOffset);
        if (count < 0 || count > MOST_ENTRIES || count * LISTED_BYTES > bytes) {
            throw damagedList();
        }
        if (bytes + count * ENTRY_MEMORY > Runtime.getRuntime().maxMemory() / 2) {
            throw fault("has a list of %d contents, too long for the memory: give Java more (-Xmx) or another archive"
                    .formatted(count));
        }
        file.seek(start);
        try (InputStream list = new BufferedInputStream(new Part(file, bytes), 1 << 16)) {
            for (long i = 0; i < count; i++) {
                list(list, start);
            }
            if (list.read() >= 0) {
                throw damagedList();
            }
        }
        return start;
    }

    private void list(InputStream list, long dataEnd) throws IOException {
        ByteBuffer head = little(list.readNBytes(LISTED_BYTES));
        if (head.capacity() < LISTED_BYTES || head.getInt(0) != LISTED) {
            throw damagedList();
        }
        int nameLength = unsigned(head.getShort(28));
        if (nameLength > MOST_NAME_BYTES) {
            throw fault("has a name of %d bytes: give an archive whose names have at most %d"
                    .formatted(nameLength, MOST_NAME_BYTES));
        }
        int extraLength = unsigned(head.getShort(30));
        byte[] name = list.readNBytes(nameLength);
        ByteBuffer extra = little(list.readNBytes(extraLength));
        list.skipNBytes(unsigned(head.getShort(32)));
        if (name.length < nameLength || extra.capacity() < extraLength) {
            throw damagedList();
        }
        String named = new String(name, StandardCharsets.UTF_8);
        requireHarmless(named, head);
        long size = Integer.toUnsignedLong(head.getInt(24));
        long packed = Integer.toUnsignedLong(head.getInt(20));
        long offset = Integer.toUnsignedLong(head.getInt(42));
        // Numbers that did not fit stand in a part of the extra bytes, in this order.
        ByteBuffer wide = zip64(extra);
        if (size == 0xffffffffL) {
            size = next(wide);
        }
        if (packed == 0xffffffffL) {
            packed = next(wide);
        }
        if (offset == 0xffffffffL) {
            offset = next(wide);
        }
        requireInside(offset, LOCAL_BYTES, dataEnd);
        requireInside(offset, packed, dataEnd);
        if (size < 0 || size > (packed + 1) * MOST_RATIO) {
            throw fault("promises %d bytes of %s in %d: do not trust it, give another archive"
                    .formatted(size, named, packed));
        }
        boolean encrypted = (head.getShort(8) & 1) != 0;
        var entry = new Entry(
                offset, packed, size, unsigned(head.getShort(10)), Integer.toUnsignedLong(head.getInt(16)), encrypted);
        if (entries.put(named, entry) != null && !isDirectory(named)) {
            throw fault("has %s twice: give another archive".formatted(named));
        }
    }

    private long[] starts(long list) throws IOException {
        long[] sorted = LongStream.concat(entries.values().stream().mapToLong(Entry::offset), LongStream.of(list))
                .sorted()
                .toArray();
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw overlapping();
            }
        }
        for (Map.Entry<String, Entry> named : entries.entrySet()) {
            Entry entry = named.getValue();
            // At the least: a name has no more letters than bytes, and other things may follow it.
            long end = entry.offset + LOCAL_BYTES + named.getKey().length() + entry.packed;
            if (end > following(sorted, entry)) {
                throw overlapping();
            }
        }
        return sorted;
    }

    /** Where an entry must have ended. */
    private static long following(long[] starts, Entry entry) {
        return starts[Arrays.binarySearch(starts, entry.offset) + 1];
    }

    private void requireHarmless(String name, ByteBuffer head) throws IOException {
        if (!ArchiveNames.isLegible(name)) {
            throw damagedList();
        }
        if (!ArchiveNames.staysInside(name)) {
            throw fault("has a file that would be unpacked elsewhere, %s: do not trust it, give another archive"
                    .formatted(name));
        }
        int levels = (int) name.chars().filter(letter -> letter == '/').count();
        if (levels > MOST_LEVELS) {
            throw fault(
                    "has a file %d directories deep: give an archive with at most %d".formatted(levels, MOST_LEVELS));
        }
        // The mode of the file, where a Unix made the archive: plain, a directory, or none noted.
        int type = head.getShort(40) & 0170000;
        boolean unix = head.get(5) == 3;
        if (unix && type == 0120000) {
            throw fault("has a link, %s: unpack it where links do no harm and give the directory".formatted(name));
        }
        if (unix && type != 0100000 && type != 0040000 && type != 0) {
            throw fault("has %s, neither file nor directory: unpack it and give the directory".formatted(name));
        }
    }

    private static ByteBuffer zip64(ByteBuffer extra) {
        int at = 0;
        while (at + 4 <= extra.capacity()) {
            int length = unsigned(extra.getShort(at + 2));
            if (at + 4 + length > extra.capacity()) {
                break;
            }
            if (extra.getShort(at) == 1) {
                return extra.slice(at + 4, length).order(ByteOrder.LITTLE_ENDIAN);
            }
            at += 4 + length;
        }
        return little(new byte[0]);
    }

    private long next(ByteBuffer wide) throws IOException {
        if (wide.remaining() < Long.BYTES) {
            throw damagedList();
        }
        return wide.getLong();
    }

    @Override
    public List<String> directories(String directory) {
        String prefix = directory.isEmpty() ? "" : directory + "/";
        List<String> found = new ArrayList<>();
        String name = entries.ceilingKey(prefix);
        while (name != null && name.startsWith(prefix)) {
            int slash = name.indexOf('/', prefix.length());
            if (slash < 0) {
                name = entries.higherKey(name);
            } else {
                found.add(name.substring(prefix.length(), slash));
                name = entries.ceilingKey(after(name.substring(0, slash)));
            }
        }
        return found.stream().sorted().toList();
    }

    @Override
    public List<String> files(String directory) {
        Map<String, Entry> below = directory.isEmpty() ? entries : entries.subMap(directory + "/", after(directory));
        return below.keySet().stream().filter(name -> !isDirectory(name)).toList();
    }

    /** What comes behind everything in a directory. */
    private static String after(String directory) {
        return directory + (char) ('/' + 1);
    }

    private static boolean isDirectory(String name) {
        return name.endsWith("/");
    }

    @Override
    public boolean isFile(String name) {
        return entries.containsKey(name) && !isDirectory(name);
    }

    @Override
    public void checkUnread(Predicate<String> isRead) throws IOException {
        RandomAccessFile file = shared.lend();
        try {
            for (Map.Entry<String, Entry> entry : entries.entrySet()) {
                if (!isRead.test(entry.getKey())) {
                    contents(file, entry.getKey(), entry.getValue());
                }
            }
        } catch (EOFException e) {
            throw fault("is cut short: fetch it again");
        } finally {
            shared.giveBack(file);
        }
    }

    @Override
    public void read(String name, FileBytes into) throws IOException {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw fault("has no %s".formatted(name));
        }
        if (entry.encrypted || (entry.method != STORED && entry.method != DEFLATED)) {
            throw fault(
                    "has %s in a form that cannot be read: pack it without a password, with Deflate".formatted(name));
        }
        if (entry.size > MOST_FILE_BYTES) {
            throw new IOException(
                    "%s is longer than %d bytes: it is no image to train on".formatted(display(name), MOST_FILE_BYTES));
        }
        // What Deflate cannot make smaller it makes larger by five bytes in 32,767 at most.
        if (entry.packed > entry.size + entry.size / 4096 + 1024) {
            throw damaged(name);
        }
        RandomAccessFile file = shared.lend();
        try {
            file.seek(contents(file, name, entry));
            inflate(new Part(file, entry.packed), entry, name, into);
        } catch (EOFException | ZipException e) {
            throw damaged(name);
        } finally {
            shared.giveBack(file);
        }
    }

    /** Where its bytes begin: after a header that must be its own. */
    private long contents(RandomAccessFile file, String name, Entry entry) throws IOException {
        ByteBuffer head = bytes(file, entry.offset, LOCAL_BYTES);
        if (head.getInt(0) != LOCAL) {
            throw damaged(name);
        }
        byte[] own = new byte[unsigned(head.getShort(26))];
        long contents = entry.offset + LOCAL_BYTES + own.length + unsigned(head.getShort(28));
        if (contents + entry.packed > following(starts, entry)) {
            throw damaged(name);
        }
        file.readFully(own);
        if (!new String(own, StandardCharsets.UTF_8).equals(name)) {
            throw new IOException(
                    display(name) + " has another name where it lies: the archive is damaged, fetch it again");
        }
        return contents;
    }

    private void inflate(InputStream packed, Entry entry, String name, FileBytes into) throws IOException {
        if (entry.method == STORED) {
            requireWhole(into.fill(packed, (int) entry.size), entry, name, into);
            return;
        }
        var inflater = new Inflater(true);
        byte[] input = packed.readNBytes((int) entry.packed);
        try (var stream = new InflaterInputStream(new ByteArrayInputStream(input), inflater, 1 << 14)) {
            requireWhole(into.fill(stream, (int) entry.size), entry, name, into);
        } finally {
            inflater.end();
        }
    }

    private void requireWhole(boolean ended, Entry entry, String name, FileBytes into) throws IOException {
        if (!ended) {
            throw new IOException("%s is longer than the %d bytes the archive promises: do not trust it"
                    .formatted(display(name), entry.size));
        }
        var sum = new CRC32();
        sum.update(into.bytes(), 0, into.length());
        if (into.length() != entry.size || sum.getValue() != entry.crc) {
            throw damaged(name);
        }
    }

    @Override
    public String stamp(String name) {
        Entry entry = entries.get(name);
        return entry.size + " " + entry.crc;
    }

    @Override
    public String contents(String name) {
        return stamp(name);
    }

    @Override
    public String display(String name) {
        return name.isEmpty() ? path.toString() : path + ": " + name;
    }

    /** Not to be called while others read. */
    @Override
    public void close() throws IOException {
        shared.close();
    }

    private static ByteBuffer bytes(RandomAccessFile file, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(offset);
        file.readFully(bytes);
        return little(bytes);
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int unsigned(short number) {
        return Short.toUnsignedInt(number);
    }

    private void requireInside(long offset, long bytes, long end) throws IOException {
        if (offset < 0 || bytes < 0 || offset > end || bytes > end - offset) {
            throw damagedList();
        }
    }

    private void requireAgreed(long one, long other) throws IOException {
        if (one != other) {
            throw damagedList();
        }
    }

    private IOException overlapping() {
        return fault("has files that lie over each other: do not trust it, give another archive");
    }

    private IOException damagedList() {
        return fault("has a damaged list of contents: fetch it again");
    }

    private IOException damaged(String name) {
        return new IOException(display(name) + " is damaged in the archive: fetch it again");
    }

    private IOException fault(String sentence) {
        return new IOException(path + " " + sentence);
    }

    /** Some bytes from where the file stands. */
    private static final class Part extends InputStream {
        private final RandomAccessFile file;
        private long left;

        Part(RandomAccessFile file, long length) {
            this.file = file;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] destination, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = file.read(destination, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException();
            }
            left -= count;
            return count;
        }
    }
}
