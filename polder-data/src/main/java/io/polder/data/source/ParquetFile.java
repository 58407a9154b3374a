package io.polder.data.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.data.source.ParquetColumn.Page;
import io.polder.data.source.ParquetColumn.Values;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Parquet file of images and their labels, as the Hugging Face hub stores them: a column {@code image} of bytes and path, of which the bytes
 * are read, and one {@code label} of whole numbers, whose names are in the file's note {@code huggingface}. The list of row groups and the labels are
 * read once; of the images a page when one of its rows is asked for. The file is opened for each reading: a set may have more files than a process may have open.
 */
final class ParquetFile {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** The list of contents becomes some sixty times its size in memory. */
    private static final int MOST_LIST = 1 << 23;

    private static final int INT32 = 1;
    private static final int INT64 = 2;
    private static final int BYTE_ARRAY = 6;
    private static final List<String> CODECS =
            List.of("none", "Snappy", "gzip", "LZO", "Brotli", "LZ4", "Zstandard", "LZ4");
    private static final int LAST_CODEC_READ = 2;

    private record Leaf(List<String> path, long type, int levels, boolean repeated) {}

    private record Group(long firstRow, ParquetColumn images, ParquetColumn labels) {}

    /** Which columns are meant. @param classNames empty where the file says none */
    private record Meant(String image, String label, List<String> classNames) {}

    private final Path path;
    private final List<Group> groups = new ArrayList<>();
    private final Meant meant;
    private final int rows;

    /** By row group, once they were looked for. */
    private final Map<Integer, List<Page>> pages = new HashMap<>();

    private final KeptPages kept;

    /** @param kept for all files of a set */
    ParquetFile(Path path, KeptPages kept) throws IOException {
        this.path = path;
        this.kept = kept;
        try (var file = new RandomAccessFile(path.toFile(), "r")) {
            Map<Integer, Object> list = list(file);
            List<Leaf> leaves = leaves(list(list.get(2)));
            meant = meant(note(list), leaves);
            rows = groups(list(list.get(4)), leaves, file.length());
        } catch (ThriftReader.DamagedException | EOFException e) {
            throw damaged(e);
        }
    }

    int rows() {
        return rows;
    }

    /** By label; empty where the file says none. */
    List<String> classNames() {
        return meant.classNames;
    }

    private Map<Integer, Object> list(RandomAccessFile file) throws IOException {
        long length = file.length();
        byte[] end = new byte[8];
        if (length >= 12) {
            file.seek(length - 8);
            file.readFully(end);
        }
        if (!Arrays.equals(end, 4, 8, MAGIC, 0, 4)) {
            throw fault("is no Parquet file, encrypted or cut short: give another or fetch it again");
        }
        int bytes = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt();
        require(bytes > 0 && bytes <= length - 12);
        if (bytes > Math.min(MOST_LIST, Runtime.getRuntime().maxMemory() / 128)) {
            throw fault("has a list of %d bytes of its contents: write it as several files".formatted(bytes));
        }
        byte[] list = new byte[bytes];
        file.seek(length - 8 - bytes);
        file.readFully(list);
        return new ThriftReader(list, 0, bytes).struct();
    }

    /** The columns that have values, of the tree that lies there in the order of its branches. */
    private static List<Leaf> leaves(List<Object> schema) throws IOException {
        List<Leaf> leaves = new ArrayList<>();
        int end = leaves(schema, 0, List.of(), 0, false, leaves);
        require(end == schema.size());
        return leaves;
    }

    private static int leaves(
            List<Object> schema, int at, List<String> above, int levels, boolean repeated, List<Leaf> leaves)
            throws IOException {
        require(at < schema.size() && above.size() < 32);
        Map<Integer, Object> element = fields(schema.get(at));
        List<String> path = new ArrayList<>(above);
        long repetition = 0;
        if (at > 0) {
            path.add(text(element.get(4)));
            repetition = element.containsKey(3) ? number(element.get(3)) : 0;
        }
        int deep = levels + (repetition == 0 ? 0 : 1);
        boolean many = repeated || repetition == 2;
        long children = element.containsKey(5) ? number(element.get(5)) : 0;
        if (children == 0) {
            require(at > 0);
            leaves.add(new Leaf(path, number(element.get(1)), deep, many));
            return at + 1;
        }
        int next = at + 1;
        for (long i = 0; i < children; i++) {
            next = leaves(schema, next, path, deep, many, leaves);
        }
        return next;
    }

    private static Optional<String> note(Map<Integer, Object> list) throws IOException {
        if (list.containsKey(5)) {
            for (Object pair : list(list.get(5))) {
                Map<Integer, Object> note = fields(pair);
                if (text(note.get(1)).equals("huggingface") && note.containsKey(2)) {
                    return Optional.of(text(note.get(2)));
                }
            }
        }
        return Optional.empty();
    }

    /** By the note, where there is one; else by the names that such columns usually have. */
    private Meant meant(Optional<String> note, List<Leaf> leaves) throws IOException {
        String image = null;
        String label = null;
        List<String> names = new ArrayList<>();
        if (note.isPresent()) {
            JsonNode features;
            try {
                features = new ObjectMapper().readTree(note.get()).path("info").path("features");
            } catch (JsonProcessingException e) {
                throw new ThriftReader.DamagedException();
            }
            for (Map.Entry<String, JsonNode> each : features.properties()) {
                String type = each.getValue().path("_type").asText();
                if (type.equals("Image") && image == null) {
                    image = each.getKey();
                } else if (type.equals("ClassLabel") && label == null) {
                    label = each.getKey();
                    each.getValue().path("names").forEach(name -> names.add(name.asText()));
                }
            }
        }
        if (image == null) {
            image = usual(leaves, List.of("image", "img"));
        }
        if (label == null) {
            label = usual(leaves, List.of("label", "labels", "fine_label"));
        }
        if (image == null || label == null) {
            throw fault("has no column %s: give a file of images as the Hugging Face hub has them, with image and label"
                    .formatted(image == null ? "image" : "label"));
        }
        return new Meant(image, label, List.copyOf(names));
    }

    private static String usual(List<Leaf> leaves, List<String> names) {
        return names.stream()
                .filter(name ->
                        leaves.stream().anyMatch(leaf -> leaf.path.get(0).equals(name)))
                .findFirst()
                .orElse(null);
    }

    /** @return the number of rows */
    private int groups(List<Object> listed, List<Leaf> leaves, long length) throws IOException {
        Leaf images = leaf(leaves, List.of(meant.image, "bytes"), List.of(BYTE_ARRAY), "bytes");
        Leaf labels = leaf(leaves, List.of(meant.label), List.of(INT32, INT64), "whole numbers");
        long row = 0;
        for (Object each : listed) {
            Map<Integer, Object> group = fields(each);
            long count = number(group.get(3));
            // An image has a byte at least, and so nothing is made for rows that are not there.
            require(count >= 0 && count <= length - row && row + count <= Integer.MAX_VALUE - 8);
            List<Object> columns = list(group.get(1));
            require(columns.size() == leaves.size());
            groups.add(new Group(
                    row,
                    column(fields(columns.get(leaves.indexOf(images))), images, count, length),
                    column(fields(columns.get(leaves.indexOf(labels))), labels, count, length)));
            row += count;
        }
        return (int) row;
    }

    private Leaf leaf(List<Leaf> leaves, List<String> path, List<Integer> types, String what) throws IOException {
        Leaf leaf = leaves.stream()
                .filter(each -> each.path.equals(path) || each.path.equals(path.subList(0, 1)))
                .findFirst()
                .orElseThrow(() -> fault("has a column %s without %s: it must be %s"
                        .formatted(path.get(0), String.join(".", path), what)));
        if (leaf.repeated || !types.contains((int) leaf.type)) {
            throw fault("has a column %s that is not of %s, one a row: give another file"
                    .formatted(String.join(".", leaf.path), what));
        }
        return leaf;
    }

    private ParquetColumn column(Map<Integer, Object> chunk, Leaf leaf, long rows, long length) throws IOException {
        require(!chunk.containsKey(1)); // that it is in another file
        Map<Integer, Object> about = fields(chunk.get(3));
        long codec = number(about.get(4));
        if (codec < 0 || codec > LAST_CODEC_READ) {
            String name = codec < 0 || codec >= CODECS.size() ? "a way of its own" : CODECS.get((int) codec);
            throw fault("is packed by %s: write it with Snappy, gzip or none".formatted(name));
        }
        long start = number(about.get(9));
        if (about.containsKey(11) && number(about.get(11)) > 0) {
            start = Math.min(start, number(about.get(11)));
        }
        long bytes = number(about.get(7));
        require(start >= 4 && bytes >= 0 && start <= length && bytes <= length - start && number(about.get(5)) == rows);
        int width = leaf.type == INT32 ? 4 : leaf.type == INT64 ? 8 : 0;
        return new ParquetColumn(path.toString(), start, bytes, (int) codec, width, leaf.levels, rows);
    }

    /** Of every row. */
    int[] labels() throws IOException {
        int[] labels = new int[rows];
        try (var file = new RandomAccessFile(path.toFile(), "r")) {
            for (Group group : groups) {
                Values dictionary = null;
                for (Page page : group.labels.pages(file)) {
                    Values values = group.labels.read(file, page, dictionary);
                    if (page.isDictionary()) {
                        dictionary = values;
                        continue;
                    }
                    for (int i = 0; i < page.values(); i++) {
                        int row = (int) (group.firstRow + page.firstRow() + i);
                        labels[row] = label(values, i, row);
                    }
                }
            }
            return labels;
        } catch (ThriftReader.DamagedException | EOFException e) {
            throw damaged(e);
        }
    }

    private int label(Values values, int index, int row) throws IOException {
        if (values.starts()[index] < 0) {
            throw fault("has no label in row %d: leave out the rows without one".formatted(row));
        }
        var bytes = ByteBuffer.wrap(values.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        int at = values.starts()[index];
        long label = values.lengths()[index] == 4 ? bytes.getInt(at) : bytes.getLong(at);
        if (label < 0 || label >= (meant.classNames.isEmpty() ? ParquetImages.MOST_CLASSES : meant.classNames.size())) {
            throw fault("has the label %d in row %d: it must be one of %s"
                    .formatted(
                            label,
                            row,
                            meant.classNames.isEmpty()
                                    ? "0 to " + (ParquetImages.MOST_CLASSES - 1)
                                    : meant.classNames.size() + " classes"));
        }
        return (int) label;
    }

    /** The bytes of the image in a row; none where it has none, which is then no image. */
    void read(int row, FileBytes into) throws IOException {
        int number = groupOf(row);
        Group group = groups.get(number);
        try (var file = new RandomAccessFile(path.toFile(), "r")) {
            List<Page> list = pages(file, number);
            int last = list.size() - 1;
            while (list.get(last).firstRow() > row - group.firstRow) {
                last--;
            }
            Page page = list.get(last);
            Values dictionary = list.get(0).isDictionary() ? values(file, group, list.get(0), null) : null;
            Values values = values(file, group, page, dictionary);
            int index = (int) (row - group.firstRow - page.firstRow());
            into.set(values.bytes(), values.starts()[index], values.lengths()[index]);
        } catch (ThriftReader.DamagedException | EOFException e) {
            throw damaged(e);
        }
    }

    private int groupOf(int row) {
        int low = 0;
        int high = groups.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (groups.get(middle).firstRow <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private List<Page> pages(RandomAccessFile file, int group) throws IOException {
        synchronized (pages) {
            List<Page> known = pages.get(group);
            if (known == null) {
                known = groups.get(group).images.pages(file);
                pages.put(group, known);
            }
            return known;
        }
    }

    private Values values(RandomAccessFile file, Group group, Page page, Values dictionary) throws IOException {
        Optional<Values> known = kept.of(this, page.at());
        return known.isPresent() ? known.get() : kept.keep(this, page.at(), group.images.read(file, page, dictionary));
    }

    static Map<Integer, Object> fields(Object struct) throws IOException {
        require(struct instanceof Map);
        @SuppressWarnings("unchecked") // of nothing but what ThriftReader made
        Map<Integer, Object> fields = (Map<Integer, Object>) struct;
        return fields;
    }

    static long number(Object number) throws IOException {
        require(number instanceof Long);
        return (Long) number;
    }

    private static List<Object> list(Object list) throws IOException {
        require(list instanceof List);
        @SuppressWarnings("unchecked")
        List<Object> items = (List<Object>) list;
        return items;
    }

    private static String text(Object bytes) throws IOException {
        require(bytes instanceof byte[]);
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private static void require(boolean sound) throws IOException {
        if (!sound) {
            throw new ThriftReader.DamagedException();
        }
    }

    private IOException damaged(IOException cause) {
        return new IOException(path + " is damaged or cut short: fetch it again", cause);
    }

    private IOException fault(String sentence) {
        return new IOException(path + " " + sentence);
    }
}
