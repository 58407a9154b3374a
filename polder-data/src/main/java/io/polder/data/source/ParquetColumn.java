package io.polder.data.source;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.snappy.SnappyCompressorInputStream;

/**
 * One column of one row group: its pages, which are found by their headers, and the values in them. A value is at most one a row, so rows and
 * values have the same numbers; one that is missing has no bytes.
 *
 * @param start where its bytes begin in the file, {@code bytes} how many there are: checked to be there
 * @param codec how pages are packed, by Parquet's number
 * @param width of a value in bytes; 0 where each has its own length
 * @param levels how deep a value may be missing: 0 where it never is
 */
record ParquetColumn(String file, long start, long bytes, int codec, int width, int levels, long rows) {
    private static final int PLAIN = 0;
    private static final int PLAIN_DICTIONARY = 2;
    private static final int RLE_DICTIONARY = 8;
    private static final int DATA = 0;
    private static final int DICTIONARY = 2;
    private static final int DATA_2 = 3;

    /** With the smallest and largest value in it, of which writers cut all that is long. */
    private static final int MOST_HEADER = 1 << 18;

    private static final int USUAL_HEADER = 1 << 12;

    /** How far Snappy looks back, as Google's own writes it; Commons Compress would take half of that. */
    private static final int SNAPPY_BLOCK = 1 << 16;

    /** @param firstRow of the group, {@code -1} of the dictionary; {@code at} its bytes, after the header; {@code plain} the length of what is unpacked */
    record Page(
            long firstRow,
            int values,
            long at,
            int packed,
            int plain,
            int encoding,
            boolean second,
            int levelBytes,
            boolean isPacked) {
        boolean isDictionary() {
            return firstRow < 0;
        }
    }

    /** The values of a page, in its bytes. @param starts where each begins; {@code -1}: there is none */
    record Values(byte[] bytes, int[] starts, int[] lengths) {
        long memory() {
            return bytes.length + 8L * starts.length;
        }
    }

    /** The dictionary, where there is one, and then the pages in the order of their rows. */
    List<Page> pages(RandomAccessFile file) throws IOException {
        List<Page> pages = new ArrayList<>();
        long row = 0;
        long end = start + bytes;
        for (long at = start; at < end && row < rows; ) {
            Page page = page(file, at, end, row);
            if (page.values < 0) { // of another kind
                at = page.at + page.packed;
                continue;
            }
            require(!page.isDictionary() || pages.isEmpty());
            pages.add(page);
            row += page.isDictionary() ? 0 : page.values;
            at = page.at + page.packed;
        }
        require(row == rows);
        return pages;
    }

    private Page page(RandomAccessFile file, long at, long end, long row) throws IOException {
        ThriftReader reader = header(file, at, (int) Math.min(end - at, USUAL_HEADER));
        Map<Integer, Object> fields;
        try {
            fields = reader.struct();
        } catch (ThriftReader.DamagedException e) {
            reader = header(file, at, (int) Math.min(end - at, MOST_HEADER)); // it may be a long one
            fields = reader.struct();
        }
        long type = number(fields, 1);
        long plain = number(fields, 2);
        long packed = number(fields, 3);
        long contents = at + reader.position();
        require(plain >= 0 && packed >= 0 && packed <= end - contents);
        if (Math.max(plain, packed) > FileTree.MOST_FILE_BYTES) {
            throw fault("has a page of %d bytes: write it with pages of at most %d"
                    .formatted(Math.max(plain, packed), FileTree.MOST_FILE_BYTES));
        }
        if (type == DATA) {
            var data = ParquetFile.fields(fields.get(5));
            return data(row, data, 2, contents, packed, plain, false, 0, true);
        } else if (type == DATA_2) {
            var data = ParquetFile.fields(fields.get(8));
            long repeated = number(data, 6);
            long defined = number(data, 5);
            require(repeated == 0 && defined >= 0 && defined <= Math.min(packed, plain));
            return data(row, data, 4, contents, packed, plain, true, (int) defined, !Boolean.FALSE.equals(data.get(7)));
        } else if (type == DICTIONARY) {
            var dictionary = ParquetFile.fields(fields.get(7));
            long encoding = number(dictionary, 2);
            require(encoding == PLAIN || encoding == PLAIN_DICTIONARY);
            return data(-1, dictionary, 2, contents, packed, plain, false, 0, true);
        }
        return new Page(row, -1, contents, (int) packed, 0, 0, false, 0, false);
    }

    private static ThriftReader header(RandomAccessFile file, long at, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(at);
        file.readFully(bytes);
        return new ThriftReader(bytes, 0, length);
    }

    private Page data(
            long row,
            Map<Integer, Object> fields,
            int encodingField,
            long at,
            long packed,
            long plain,
            boolean second,
            int levelBytes,
            boolean isPacked)
            throws IOException {
        long values = number(fields, 1);
        require(values >= 0 && (row < 0 ? values <= plain : values <= rows - row));
        return new Page(
                row,
                (int) values,
                at,
                (int) packed,
                (int) plain,
                (int) number(fields, encodingField),
                second,
                levelBytes,
                isPacked);
    }

    /** @param dictionary the values of the one there is, or null */
    Values read(RandomAccessFile file, Page page, Values dictionary) throws IOException {
        file.seek(page.at);
        byte[] packed = new byte[page.packed];
        file.readFully(packed);
        // In the second version the levels are never packed.
        byte[] plain = page.isPacked
                ? unpacked(packed, page.levelBytes, page.plain - page.levelBytes)
                : Arrays.copyOfRange(packed, page.levelBytes, packed.length);
        if (page.isDictionary()) {
            return plain(plain, 0, allThere(page.values));
        }
        boolean[] there;
        int at = 0;
        if (levels == 0) {
            there = allThere(page.values);
        } else if (page.second) {
            there = there(packed, 0, page.levelBytes, page.values);
        } else {
            require(plain.length >= 4);
            int length = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN).getInt();
            require(length >= 0 && length <= plain.length - 4);
            there = there(plain, 4, 4 + length, page.values);
            at = 4 + length;
        }
        if (page.encoding == PLAIN) {
            return plain(plain, at, there);
        } else if (page.encoding == PLAIN_DICTIONARY || page.encoding == RLE_DICTIONARY) {
            require(dictionary != null && at < plain.length);
            int count = 0;
            for (boolean one : there) {
                count += one ? 1 : 0;
            }
            return byDictionary(runs(plain, at + 1, plain.length, plain[at], count), there, dictionary);
        }
        throw fault(
                "has pages in an encoding of its own (%d): write it with PLAIN or a dictionary, as pyarrow does by default"
                        .formatted(page.encoding));
    }

    private static boolean[] allThere(int values) {
        boolean[] there = new boolean[values];
        Arrays.fill(there, true);
        return there;
    }

    private boolean[] there(byte[] bytes, int from, int to, int values) throws IOException {
        int width = 32 - Integer.numberOfLeadingZeros(levels);
        int[] found = runs(bytes, from, to, width, values);
        boolean[] there = new boolean[values];
        for (int i = 0; i < values; i++) {
            there[i] = found[i] == levels;
        }
        return there;
    }

    private byte[] unpacked(byte[] packed, int from, int length) throws IOException {
        if (codec == 0) {
            require(packed.length - from == length);
            return from == 0 ? packed : Arrays.copyOfRange(packed, from, packed.length);
        }
        InputStream bytes = new ByteArrayInputStream(packed, from, packed.length - from);
        var plain = new FileBytes();
        try (InputStream stream =
                codec == 1 ? new SnappyCompressorInputStream(bytes, SNAPPY_BLOCK) : new GZIPInputStream(bytes)) {
            require(plain.fill(stream, length) && plain.length() == length);
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            throw new ThriftReader.DamagedException();
        } catch (IOException e) {
            throw new ThriftReader.DamagedException(); // which names nothing that helps
        }
        return Arrays.copyOf(plain.bytes(), length);
    }

    /** One after the other, with their lengths before them where they differ. */
    private Values plain(byte[] bytes, int from, boolean[] there) throws IOException {
        int[] starts = new int[there.length];
        int[] lengths = new int[there.length];
        var buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = from;
        for (int i = 0; i < there.length; i++) {
            starts[i] = -1;
            if (there[i]) {
                int length = width;
                if (width == 0) {
                    require(bytes.length - at >= 4);
                    length = buffer.getInt(at);
                    at += 4;
                }
                require(length >= 0 && length <= bytes.length - at);
                starts[i] = at;
                lengths[i] = length;
                at += length;
            }
        }
        return new Values(bytes, starts, lengths);
    }

    private static Values byDictionary(int[] numbers, boolean[] there, Values dictionary) throws IOException {
        int[] starts = new int[there.length];
        int[] lengths = new int[there.length];
        int next = 0;
        for (int i = 0; i < there.length; i++) {
            starts[i] = -1;
            if (there[i]) {
                int number = numbers[next++];
                require(number >= 0 && number < dictionary.starts.length);
                starts[i] = dictionary.starts[number];
                lengths[i] = dictionary.lengths[number];
            }
        }
        return new Values(dictionary.bytes, starts, lengths);
    }

    /** Numbers of so many bits: runs of one, or eight after eight of them packed. */
    private static int[] runs(byte[] bytes, int from, int to, int width, int count) throws IOException {
        require(width >= 0 && width <= 31);
        int[] numbers = new int[count];
        int at = from;
        int known = 0;
        while (known < count) {
            long head = 0;
            for (int shift = 0; ; shift += 7) {
                require(at < to && shift < 35);
                int part = Byte.toUnsignedInt(bytes[at++]);
                head |= (long) (part & 127) << shift;
                if (part < 128) {
                    break;
                }
            }
            if ((head & 1) == 0) {
                int number = 0;
                for (int i = 0; i < (width + 7) / 8; i++) {
                    require(at < to);
                    number |= Byte.toUnsignedInt(bytes[at++]) << 8 * i;
                }
                int last = (int) Math.min(count, known + (head >> 1));
                require(last > known);
                Arrays.fill(numbers, known, last, number);
                known = last;
            } else {
                long groups = head >> 1;
                require(groups > 0 && groups * width <= to - at);
                long values = Math.min(groups * 8, count - known);
                for (long i = 0; i < values; i++) {
                    numbers[known++] = bits(bytes, at, i * width, width);
                }
                at += (int) (groups * width);
            }
        }
        return numbers;
    }

    private static int bits(byte[] bytes, int at, long first, int width) {
        int number = 0;
        for (int i = 0; i < width; i++) {
            long bit = first + i;
            number |= (bytes[at + (int) (bit >> 3)] >> (bit & 7) & 1) << i;
        }
        return number;
    }

    private static long number(Map<Integer, Object> fields, int field) throws IOException {
        return ParquetFile.number(fields.get(field));
    }

    private static void require(boolean sound) throws IOException {
        if (!sound) {
            throw new ThriftReader.DamagedException();
        }
    }

    private IOException fault(String sentence) {
        return new IOException(file + " " + sentence);
    }
}
