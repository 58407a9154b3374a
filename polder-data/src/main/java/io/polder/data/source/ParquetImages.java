package io.polder.data.source;

import io.polder.data.Dataset;
import io.polder.data.OpenOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Images in Parquet files, as the Hugging Face hub stores them: a directory of {@code train-00000-of-00005.parquet} and its like. Seen as a tree, each file
 * is a directory and each of its rows a file, by its number.
 */
final class ParquetImages implements FileTree {
    /** More than any set of images has; so many are made without a word from the file's note. */
    static final int MOST_CLASSES = 1 << 16;

    private static final long MOST_KEPT =
            Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 32);

    private final Path root;
    private final KeptPages kept = new KeptPages(MOST_KEPT);
    private final Map<String, ParquetFile> files = new LinkedHashMap<>();
    private final Map<String, String> stamps = new LinkedHashMap<>();

    private ParquetImages(Path root) {
        this.root = root;
    }

    /** @throws IOException in one sentence, if the files are not as they should be */
    static Dataset open(String name, Path path, OpenOptions options) throws IOException {
        Shards shards = Shards.find(path, ".parquet", "train-00000-of-00001.parquet");
        var tree = new ParquetImages(shards.root());
        var folder = new Folder(tree, options.onBadImage(), new ConcurrentSkipListSet<>(), false);
        Rows train = tree.rows(shards.train());
        Rows test = tree.rows(shards.test());
        List<String> names = tree.classNames(Math.max(train.classes(), test.classes()));
        return new ImageFolder(names, train.pictures(folder, names, "train"), test.pictures(folder, names, "test"))
                .dataset(name, folder, Optional.empty(), options);
    }

    private Rows rows(List<Path> shards) throws IOException {
        var rows = new Rows(new ArrayList<>(), new ArrayList<>());
        var directory = new DirectoryTree(root);
        for (Path shard : shards) {
            String name = root.relativize(shard).toString().replace('\\', '/');
            var file = new ParquetFile(shard, kept);
            files.put(name, file);
            stamps.put(name, directory.stamp(name));
            rows.labels.add(file.labels());
            IntStream.range(0, file.rows()).forEach(row -> rows.names.add(name + "/" + row));
        }
        if (rows.names.isEmpty()) {
            throw new IOException(shards.get(0) + " has no rows: give files with images");
        }
        return rows;
    }

    /** Those of the files, which must agree, or numbers. */
    private List<String> classNames(int labels) throws IOException {
        List<String> names = files.values().iterator().next().classNames();
        for (Map.Entry<String, ParquetFile> file : files.entrySet()) {
            if (!file.getValue().classNames().equals(names)) {
                throw new IOException("%s has other classes than %s: give files of one set"
                        .formatted(
                                display(file.getKey()),
                                display(files.keySet().iterator().next())));
            }
        }
        return names.isEmpty() ? ClassNames.numbers(labels) : names;
    }

    /** Of one split: what they are called, and the labels of each file. */
    private record Rows(List<String> names, List<int[]> labels) {
        int classes() {
            return 1 + all().max().orElse(0);
        }

        private IntStream all() {
            return labels.stream().flatMapToInt(Arrays::stream);
        }

        FolderPictures pictures(Folder folder, List<String> classNames, String split) {
            return new FolderPictures(
                    folder,
                    folder.tree().display("") + " (" + split + ")",
                    "",
                    names,
                    LabelSets.ofOne(all().toArray(), classNames.size()),
                    classNames);
        }
    }

    @Override
    public List<String> directories(String directory) {
        return directory.isEmpty() ? List.copyOf(files.keySet()) : List.of();
    }

    @Override
    public List<String> files(String directory) {
        return files.entrySet().stream()
                .filter(file -> directory.isEmpty() || directory.equals(file.getKey()))
                .flatMap(file -> IntStream.range(0, file.getValue().rows()).mapToObj(row -> file.getKey() + "/" + row))
                .toList();
    }

    @Override
    public boolean isFile(String name) {
        return files.containsKey(shard(name));
    }

    @Override
    public void read(String name, FileBytes into) throws IOException {
        files.get(shard(name)).read(Integer.parseInt(name.substring(name.lastIndexOf('/') + 1)), into);
    }

    @Override
    public String stamp(String name) {
        return stamps.get(shard(name));
    }

    @Override
    public String contents(String name) throws IOException {
        var bytes = new FileBytes();
        read(name, bytes);
        var sum = new CRC32();
        sum.update(bytes.bytes(), 0, bytes.length());
        return bytes.length() + " " + sum.getValue();
    }

    @Override
    public String display(String name) {
        return name.isEmpty()
                ? root.toString()
                : files.containsKey(name)
                        ? root.resolve(name).toString()
                        : root.resolve(shard(name)) + ": row " + name.substring(name.lastIndexOf('/') + 1);
    }

    private static String shard(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    @Override
    public void close() {}
}
