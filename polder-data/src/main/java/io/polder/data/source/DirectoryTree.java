package io.polder.data.source;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** A directory on disk. Links are followed: they are the user's own. */
record DirectoryTree(Path root) implements FileTree {
    private static final int BUFFER = 1 << 16;

    @Override
    public List<String> directories(String directory) throws IOException {
        if (!Files.isDirectory(root.resolve(directory))) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(root.resolve(directory))) {
            return entries.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public List<String> files(String directory) throws IOException {
        // Links in a circle are found out by the walk itself.
        try (Stream<Path> entries =
                Files.walk(root.resolve(directory), MOST_LEVELS + 1, FileVisitOption.FOLLOW_LINKS)) {
            List<String> names = new ArrayList<>();
            for (Path path : (Iterable<Path>) entries::iterator) {
                if (root.relativize(path).getNameCount() > MOST_LEVELS + 1) {
                    throw new IOException("%s is more than %d directories deep: move it up or remove it"
                            .formatted(path, MOST_LEVELS));
                }
                if (Files.isRegularFile(path)) {
                    names.add(name(path));
                }
            }
            return names.stream().sorted().toList();
        } catch (UncheckedIOException e) {
            throw new IOException(
                    "%s cannot be listed (%s): check its permissions and links"
                            .formatted(display(directory), e.getMessage()),
                    e);
        }
    }

    @Override
    public boolean isFile(String name) {
        return Files.isRegularFile(root.resolve(name));
    }

    @Override
    public void read(String name, FileBytes into) throws IOException {
        // Not Files.newInputStream, whose channel an interrupt would close.
        try (InputStream stream = new FileInputStream(root.resolve(name).toFile())) {
            if (!into.fill(stream, MOST_FILE_BYTES)) {
                throw new IOException("%s is longer than %d bytes: it is no image to train on"
                        .formatted(display(name), MOST_FILE_BYTES));
            }
        }
    }

    /** With the time that the system keeps by itself, where it does: that of a change can be set back, as cp -p and rsync do. */
    @Override
    public String stamp(String name) throws IOException {
        Path file = root.resolve(name);
        try {
            var attributes = Files.readAttributes(file, "unix:size,lastModifiedTime,ctime,ino");
            return attributes.get("size") + " " + attributes.get("lastModifiedTime") + " " + attributes.get("ctime")
                    + " " + attributes.get("ino");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.size() + " " + attributes.lastModifiedTime();
        }
    }

    @Override
    public String contents(String name) throws IOException {
        var sum = new CRC32();
        long length = 0;
        byte[] buffer = new byte[BUFFER];
        try (InputStream stream = new FileInputStream(root.resolve(name).toFile())) {
            for (int read; (read = stream.read(buffer)) >= 0; length += read) {
                sum.update(buffer, 0, read);
            }
        }
        return length + " " + sum.getValue();
    }

    @Override
    public String display(String name) {
        return root.resolve(name).toString();
    }

    @Override
    public void close() {}

    private String name(Path path) {
        return root.relativize(path).toString().replace(path.getFileSystem().getSeparator(), "/");
    }
}
