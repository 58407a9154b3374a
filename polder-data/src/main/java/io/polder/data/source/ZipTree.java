package io.polder.data.source;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
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
    private record Entry(long offset, long packed, long size, int method, long crc) {}

    /** Where the list is, as the end of the archive says, and where that is. */
    private record Place(long count, long countHere, long bytes, long start, long end) {}

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

    /** Stands for a number that does not fit and is elsewhere. */
    private static final long WIDE = 0xffffffffL;

    private static final int STORED = 0;
    private static final int DEFLATED = 8;
    private static final int ENCRYPTED = -1;

    /** What one byte can be blown up to at most, by the way Deflate is made. */
    private static final int MOST_RATIO = 1032;

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
            this.starts = starts(list(file));
        } catch (EOFException e) {
            throw new IOException(path + " is damaged or cut short: fetch it again", e);
        }
    }

    /** @return where the list begins */
    private long list(RandomAccessFile file) throws IOException {
        Place place = place(file);
        // What is between the list and the end would be entries that nobody counted.
        requireSound(place.start >= 0 && place.start <= place.end && place.bytes == place.end - place.start);
        requireSound(place.count == place.countHere);
        requireSound(place.count >= 0 && place.count <= place.bytes / LISTED_BYTES);
        if (place.bytes + place.count * ENTRY_MEMORY > Runtime.getRuntime().maxMemory() / 2) {
            throw fault("has a list of %d contents, too long for the memory: give Java more (-Xmx) or another archive"
                    .formatted(place.count));
        }
        file.seek(place.start);
        var list = new DataInputStream(new BufferedInputStream(new FileInputStream(file.getFD()), 1 << 16));
        long left = place.bytes;
        for (long i = 0; i < place.count; i++) {
            left -= list(list, place.start);
        }
        requireSound(left == 0);
        return place.start;
    }

    private Place place(RandomAccessFile file) throws IOException {
        long length = file.length();
        int tail = (int) Math.min(length, END_BYTES + 0xffff);
        ByteBuffer end = bytes(file, length - tail, tail);
        int at = tail - END_BYTES;
        while (at >= 0 && !(end.getInt(at) == END && at + END_BYTES + unsigned(end, at + 20) <= tail)) {
            at--;
        }
        if (at < 0) {
            throw fault("is no zip archive or cut short: give another or fetch it again");
        }
        long offset = length - tail + at;
        var place = new Place(
                unsigned(end, at + 10),
                unsigned(end, at + 8),
                Integer.toUnsignedLong(end.getInt(at + 12)),
                Integer.toUnsignedLong(end.getInt(at + 16)),
                offset);
        boolean wide = place.count == 0xffff || place.start == WIDE || place.bytes == WIDE;
        if (!wide || offset < LOCATOR64_BYTES) {
            return place;
        }
        ByteBuffer locator = bytes(file, offset - LOCATOR64_BYTES, LOCATOR64_BYTES);
        if (locator.getInt(0) != LOCATOR64) {
            return place;
        }
        long offset64 = locator.getLong(8);
        requireSound(offset64 >= 0 && offset64 <= length - END64_BYTES);
        ByteBuffer end64 = bytes(file, offset64, END64_BYTES);
        requireSound(end64.getInt(0) == END64);
        return new Place(end64.getLong(32), end64.getLong(24), end64.getLong(40), end64.getLong(48), offset64);
    }

    /** @return the bytes it has of the list */
    private int list(DataInput list, long dataEnd) throws IOException {
        ByteBuffer head = bytes(list, LISTED_BYTES);
        requireSound(head.getInt(0) == LISTED);
        int nameLength = unsigned(head, 28);
        int extraLength = unsigned(head, 30);
        int commentLength = unsigned(head, 32);
        if (nameLength > MOST_NAME_BYTES) {
            throw fault("has a name of %d bytes: give an archive whose names have at most %d"
                    .formatted(nameLength, MOST_NAME_BYTES));
        }
        String name = new String(bytes(list, nameLength).array(), StandardCharsets.UTF_8);
        requireHarmless(name, head);
        ByteBuffer wide = wide(bytes(list, extraLength));
        bytes(list, commentLength);
        // In the order in which those that did not fit stand elsewhere.
        long size = number(head, 24, wide);
        long packed = number(head, 20, wide);
        long offset = number(head, 42, wide);
        requireSound(
                packed >= 0 && packed <= dataEnd && offset >= 0 && offset <= dataEnd - Math.max(packed, LOCAL_BYTES));
        if (size < 0 || size > (packed + 1) * MOST_RATIO) {
            throw fault("promises %d bytes of %s in %d: do not trust it, give another archive"
                    .formatted(size, name, packed));
        }
        int method = (head.getShort(8) & 1) != 0 ? ENCRYPTED : unsigned(head, 10);
        var entry = new Entry(offset, packed, size, method, Integer.toUnsignedLong(head.getInt(16)));
        if (entries.put(name, entry) != null && !isDirectory(name)) {
            throw fault("has %s twice: give another archive".formatted(name));
        }
        return LISTED_BYTES + nameLength + extraLength + commentLength;
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
        requireSound(ArchiveNames.isLegible(name));
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
        int type = head.get(5) == 3 ? head.getShort(40) & 0170000 : 0;
        if (type == 0120000) {
            throw fault("has a link, %s: unpack it where links do no harm and give the directory".formatted(name));
        }
        if (type != 0100000 && type != 0040000 && type != 0) {
            throw fault("has %s, neither file nor directory: unpack it and give the directory".formatted(name));
        }
    }

    /** The part of the extra bytes that has the numbers that did not fit, or nothing. */
    private static ByteBuffer wide(ByteBuffer extra) {
        while (extra.remaining() >= 4) {
            int tag = extra.getShort();
            int end = extra.position() + Short.BYTES + Short.toUnsignedInt(extra.getShort());
            if (tag == 1 && end <= extra.limit()) {
                return extra.limit(end);
            }
            extra.position(Math.min(end, extra.limit()));
        }
        return extra.position(extra.limit());
    }

    private long number(ByteBuffer head, int at, ByteBuffer wide) throws IOException {
        long number = Integer.toUnsignedLong(head.getInt(at));
        requireSound(number != WIDE || wide.remaining() >= Long.BYTES);
        return number == WIDE ? wide.getLong() : number;
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
        if (entry.method != STORED && entry.method != DEFLATED) {
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
            byte[] packed = bytes(file, (int) entry.packed).array();
            if (!unpack(packed, entry, into)) {
                throw new IOException("%s is longer than the %d bytes the archive promises: do not trust it"
                        .formatted(display(name), entry.size));
            }
        } catch (EOFException | ZipException e) {
            throw damaged(name);
        } finally {
            shared.giveBack(file);
        }
        var sum = new CRC32();
        sum.update(into.bytes(), 0, into.length());
        if (into.length() != entry.size || sum.getValue() != entry.crc) {
            throw damaged(name);
        }
    }

    private static boolean unpack(byte[] packed, Entry entry, FileBytes into) throws IOException {
        if (entry.method == STORED) {
            return into.fill(new ByteArrayInputStream(packed), (int) entry.size);
        }
        var inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            return into.fill(new InflaterInputStream(InputStream.nullInputStream(), inflater), (int) entry.size);
        } finally {
            inflater.end();
        }
    }

    /** Where its bytes begin: after a header that must be its own. */
    private long contents(RandomAccessFile file, String name, Entry entry) throws IOException {
        ByteBuffer head = bytes(file, entry.offset, LOCAL_BYTES);
        int nameLength = unsigned(head, 26);
        long contents = entry.offset + LOCAL_BYTES + nameLength + unsigned(head, 28);
        if (head.getInt(0) != LOCAL || contents + entry.packed > following(starts, entry)) {
            throw damaged(name);
        }
        if (!new String(bytes(file, nameLength).array(), StandardCharsets.UTF_8).equals(name)) {
            throw new IOException(
                    display(name) + " has another name where it lies: the archive is damaged, fetch it again");
        }
        return contents;
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
        file.seek(offset);
        return bytes(file, length);
    }

    private static ByteBuffer bytes(DataInput input, int length) throws IOException {
        byte[] bytes = new byte[length];
        input.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int unsigned(ByteBuffer bytes, int at) {
        return Short.toUnsignedInt(bytes.getShort(at));
    }

    private void requireSound(boolean list) throws IOException {
        if (!list) {
            throw fault("has a damaged list of contents: fetch it again");
        }
    }

    private IOException overlapping() {
        return fault("has files that lie over each other: do not trust it, give another archive");
    }

    private IOException damaged(String name) {
        return new IOException(display(name) + " is damaged in the archive: fetch it again");
    }

    private IOException fault(String sentence) {
        return new IOException(path + " " + sentence);
    }
}
