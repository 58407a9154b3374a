package io.polder.data;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** A directory on disk. Links are followed: they are the user's own. */
record DirectoryTree(Path root) implements FileTree {
    /** Deep enough for every layout there is, and an end to links in a circle. */
    private static final int MOST_DEPTH = 16;

    @Override
    public List<String> directories(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(root.resolve(directory))) {
            return entries.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public List<String> files(String directory) throws IOException {
        try (Stream<Path> entries = Files.walk(root.resolve(directory), MOST_DEPTH, FileVisitOption.FOLLOW_LINKS)) {
            return entries.filter(Files::isRegularFile).map(this::name).sorted().toList();
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

    @Override
    public String stamp(String name) throws IOException {
        var attributes = Files.readAttributes(root.resolve(name), BasicFileAttributes.class);
        return attributes.size() + " " + attributes.lastModifiedTime().toMillis();
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
