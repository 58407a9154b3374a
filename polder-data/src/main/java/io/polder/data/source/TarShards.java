package io.polder.data.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.data.Dataset;
import io.polder.data.KeptText;
import io.polder.data.OpenOptions;
import io.polder.files.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.zip.CRC32;

/**
 * Images in tar files, as WebDataset has them: {@code train-000000.tar} with {@code KEY.jpg} and {@code KEY.cls}, the number of its class, or
 * {@code KEY.json} with a field {@code label}, for each image. Where each image lies is found out once, by going from header to header, and kept in the cache directory; then any
 * image can be read at any time, like one in a folder. A header is looked at again before its image is believed.
 */
final class TarShards implements FileTree {
    private static final int MOST_LABEL_BYTES = 1 << 16;
    private static final int MOST_CLASS_BYTES = 1 << 20;
    private static final String CLASSES = "classes.txt";
    private static final String INDEX = "webdataset 1\n";

    /** Where the bytes of an image are in its file, and what it shows. */
    private record Member(long at, long size, int label) {}

    private final Path root;

    /** The images of each file by their names, in the order of these. */
    private final Map<String, TreeMap<String, Member>> shards = new LinkedHashMap<>();

    private final Map<String, String> stamps = new HashMap<>();
    private final KeptText kept;

    private TarShards(Path root, Path cache) {
        this.root = root;
        this.kept = new KeptText(cache.resolve("shards"));
    }

    /** @throws IOException in one sentence, if the files are not as they should be */
    static Dataset open(String name, Path path, OpenOptions options) throws IOException {
        Shards found = Shards.find(path, ".tar", "train-000000.tar");
        var tree = new TarShards(found.root(), options.cache());
        var folder = new Folder(tree, options.onBadImage(), new ConcurrentSkipListSet<>(), false);
        List<String> train = tree.index(found.train());
        List<String> test = tree.index(found.test());
        List<String> names = tree.classNames();
        return new ImageFolder(
                        names, tree.pictures(folder, train, names, "train"), tree.pictures(folder, test, names, "test"))
                .dataset(name, folder, Optional.empty(), options);
    }

    /** @return the names of their images */
    private List<String> index(List<Path> files) throws IOException {
        List<String> images = new ArrayList<>();
        var directory = new DirectoryTree(root);
        for (Path file : files) {
            String shard = root.relativize(file).toString().replace('\\', '/');
            stamps.put(shard, directory.stamp(shard));
            String key = Sha256.of(INDEX + file.toAbsolutePath().normalize() + "\n" + stamps.get(shard));
            Optional<TreeMap<String, Member>> known = kept.of(key).map(TarShards::parsed);
            TreeMap<String, Member> members = known.isPresent() ? known.get() : members(file);
            if (known.isEmpty()) {
                kept.keep(key, text(members));
            }
            shards.put(shard, members);
            members.keySet().forEach(image -> images.add(shard + "/" + image));
        }
        if (images.isEmpty()) {
            throw new IOException(files.get(0) + " has no images: give files that have some, with their labels");
        }
        return images;
    }

    private static String text(TreeMap<String, Member> members) {
        var text = new StringBuilder(INDEX);
        members.forEach((name, member) -> text.append(member.at)
                .append(' ')
                .append(member.size)
                .append(' ')
                .append(member.label)
                .append(' ')
                .append(name)
                .append('\n'));
        return text.toString();
    }

    /** Names have no line feeds in them, or the archive would have been refused. */
    private static TreeMap<String, Member> parsed(String text) {
        var members = new TreeMap<String, Member>();
        for (String line : text.substring(INDEX.length()).split("\n")) {
            String[] parts = line.split(" ", 4);
            if (parts.length == 4) {
                members.put(
                        parts[3],
                        new Member(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2])));
            }
        }
        return members;
    }

    private static TreeMap<String, Member> members(Path file) throws IOException {
        Map<String, Integer> labels = new HashMap<>();
        Map<String, String> images = new HashMap<>();
        var members = new TreeMap<String, Member>();
        try (var stream = new Seekable(file)) {
            var tar = new TarReader(stream, file.toString(), stream.length());
            for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
                int dot = entry.name().indexOf('.', entry.name().lastIndexOf('/') + 1);
                if (dot <= entry.name().lastIndexOf('/') + 1) {
                    continue; // hidden, or not a part of an image
                }
                String key = entry.name().substring(0, dot);
                String ending = entry.name().substring(dot + 1);
                if (ending.equals("cls") || ending.equals("json")) {
                    Optional<Integer> label = label(file, entry, ending);
                    if (label.isPresent()) {
                        labels.merge(key, label.get(), (one, other) -> one.equals(other) ? one : -1);
                    }
                } else if (!ending.contains(".") && ImageFolder.isImage(entry.name())) {
                    if (images.put(key, entry.name()) != null) {
                        throw new IOException("%s has two images %s: give each a key of its own".formatted(file, key));
                    }
                    members.put(entry.name(), new Member(entry.at(), entry.size(), -1));
                }
            }
        }
        for (Map.Entry<String, String> image : images.entrySet()) {
            Integer label = labels.get(image.getKey());
            if (label == null || label < 0) {
                throw new IOException("%s has %s without %s: put %s.cls with the number of its class there"
                        .formatted(file, image.getValue(), label == null ? "a label" : "one label", image.getKey()));
            }
            members.computeIfPresent(image.getValue(), (name, found) -> new Member(found.at, found.size, label));
        }
        return members;
    }

    /** Empty where a JSON file is of other things. */
    private static Optional<Integer> label(Path file, TarReader.Entry entry, String ending) throws IOException {
        if (entry.size() > MOST_LABEL_BYTES) {
            throw new IOException("%s has %s of %d bytes: it is no label".formatted(file, entry.name(), entry.size()));
        }
        String text = new String(entry.contents().readAllBytes(), StandardCharsets.UTF_8).strip();
        long label = -1;
        try {
            if (ending.equals("json")) {
                JsonNode field = new ObjectMapper().readTree(text).path("label");
                if (field.isMissingNode()) {
                    return Optional.empty();
                }
                label = field.isIntegralNumber() ? field.asLong(-1) : -1;
            } else {
                label = Long.parseLong(text);
            }
        } catch (IOException | NumberFormatException e) {
            // Told below.
        }
        if (label < 0 || label >= ParquetImages.MOST_CLASSES) {
            throw new IOException("%s has %s, which has no class in it: it must be a number from 0 to %d"
                    .formatted(file, entry.name(), ParquetImages.MOST_CLASSES - 1));
        }
        return Optional.of((int) label);
    }

    /** Those of {@code classes.txt}, a line each, where there is one beside the files; else numbers. */
    private List<String> classNames() throws IOException {
        int labels = 1
                + shards.values().stream()
                        .flatMap(members -> members.values().stream())
                        .mapToInt(Member::label)
                        .max()
                        .orElse(0);
        Path file = root.resolve(CLASSES);
        if (!Files.isRegularFile(file)) {
            return ClassNames.numbers(labels);
        }
        if (Files.size(file) > MOST_CLASS_BYTES) {
            throw new IOException(file + " is too long: it must be a name a line, one for each class");
        }
        List<String> names = new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (names.size() < labels) {
            throw new IOException(
                    "%s has %d names, and there is an image of class %d: it must have a line for each class"
                            .formatted(file, names.size(), labels - 1));
        }
        return names;
    }

    private FolderPictures pictures(Folder folder, List<String> images, List<String> classNames, String split) {
        int[] labels = images.stream().mapToInt(image -> member(image).label).toArray();
        return new FolderPictures(
                folder,
                display("") + " (" + split + ")",
                "",
                images,
                LabelSets.ofOne(labels, classNames.size()),
                classNames);
    }

    @Override
    public List<String> directories(String directory) {
        return directory.isEmpty() ? List.copyOf(shards.keySet()) : List.of();
    }

    @Override
    public List<String> files(String directory) {
        return shards.entrySet().stream()
                .filter(shard -> directory.isEmpty() || directory.equals(shard.getKey()))
                .flatMap(shard -> shard.getValue().keySet().stream().map(image -> shard.getKey() + "/" + image))
                .toList();
    }

    @Override
    public boolean isFile(String name) {
        return shard(name).isPresent();
    }

    /** The file that an image is in; images may have slashes in their names, and files, too. */
    private Optional<String> shard(String name) {
        for (int slash = name.indexOf(".tar/"); slash >= 0; slash = name.indexOf(".tar/", slash + 1)) {
            String shard = name.substring(0, slash + 4);
            if (shards.containsKey(shard) && shards.get(shard).containsKey(name.substring(slash + 5))) {
                return Optional.of(shard);
            }
        }
        return Optional.empty();
    }

    private Member member(String name) {
        String shard = shard(name).orElseThrow();
        return shards.get(shard).get(name.substring(shard.length() + 1));
    }

    @Override
    public void read(String name, FileBytes into) throws IOException {
        Member member = member(name);
        if (member.size > MOST_FILE_BYTES) {
            throw new IOException(
                    "%s is longer than %d bytes: it is no image to train on".formatted(display(name), MOST_FILE_BYTES));
        }
        // Opened each time: a set may have more files than a process may have open.
        try (var file =
                new RandomAccessFile(root.resolve(shard(name).orElseThrow()).toFile(), "r")) {
            if (member.at < TarReader.BLOCK || member.at + member.size > file.length()) {
                throw changed(name);
            }
            file.seek(member.at - TarReader.BLOCK);
            if (!isHeaderOf(member, file)) {
                throw changed(name);
            }
            file.readFully(into.room((int) member.size), 0, (int) member.size);
            into.set(into.bytes(), 0, (int) member.size);
        } catch (EOFException e) {
            throw changed(name);
        }
    }

    private static boolean isHeaderOf(Member member, RandomAccessFile file) throws IOException {
        byte[] block = new byte[TarReader.BLOCK];
        file.readFully(block);
        return TarReader.header(block)
                .filter(header -> header.getSize() == member.size)
                .isPresent();
    }

    private IOException changed(String name) {
        return new IOException(display(name) + " is no longer where it was: start again, and leave the files alone");
    }

    @Override
    public String stamp(String name) {
        return stamps.get(shard(name).orElseThrow());
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
        return shard(name)
                .map(shard -> root.resolve(shard) + ": " + name.substring(shard.length() + 1))
                .orElse(root.resolve(name).toString());
    }

    @Override
    public void close() {}

    /** A file that is passed over without being read, and never beyond its end. */
    private static final class Seekable extends InputStream {
        private final RandomAccessFile file;
        private final long length;

        Seekable(Path path) throws IOException {
            file = new RandomAccessFile(path.toFile(), "r");
            length = file.length();
        }

        long length() {
            return length;
        }

        @Override
        public int read() throws IOException {
            return file.read();
        }

        @Override
        public int read(byte[] destination, int offset, int count) throws IOException {
            return file.read(destination, offset, count);
        }

        @Override
        public long skip(long count) throws IOException {
            long at = file.getFilePointer();
            long skipped = Math.max(0, Math.min(count, length - at));
            file.seek(at + skipped);
            return skipped;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
