package io.polder.checkpoint;

import io.polder.files.Reason;
import io.polder.files.Sync;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Every operation of the store on files: the seam at which a test makes them fail, one after the other. A failure is an
 * exception that names the file. No operation follows a link in the last part of a path.
 */
class Disk {
    /** The names in a directory, in no order; at most so many of them. */
    List<String> names(Path directory, int most) throws IOException {
        List<String> names = new ArrayList<>();
        try (var entries = Files.newDirectoryStream(directory)) {
            for (var entry = entries.iterator(); names.size() < most && entry.hasNext(); ) {
                names.add(entry.next().getFileName().toString());
            }
        } catch (DirectoryIteratorException e) {
            throw named(directory, e.getCause());
        }
        return names;
    }

    BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    InputStream open(Path file) throws IOException {
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** With its parents; a link to a directory will do. */
    void createDirectories(Path directory) throws IOException {
        // Asked first, because Java 17 takes a link to a directory for a file in the way.
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
    }

    void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory);
    }

    /** Makes a file, which must not be there, with that content. */
    void write(Path file, byte[] content) throws IOException {
        try {
            Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw named(file, e);
        }
    }

    void sync(Path file) throws IOException {
        try {
            Sync.file(file);
        } catch (IOException e) {
            throw named(file, e);
        }
    }

    void syncDirectory(Path directory) throws IOException {
        try {
            Sync.directory(directory);
        } catch (IOException e) {
            throw named(directory, e);
        }
    }

    /** At once, over a file that may be there. */
    void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A file, a link, or an empty directory. */
    void delete(Path path) throws IOException {
        Files.delete(path);
    }

    /** What happens to a file that is open already comes as an exception that does not know its name. */
    private static IOException named(Path file, IOException e) {
        if (e instanceof FileSystemException) {
            return e;
        }
        var named = new FileSystemException(file.toString(), null, Reason.of(e));
        named.initCause(e);
        return named;
    }
}
