package io.polder.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Every operation of the store on files: the seam at which a test makes them fail, one after the other. A failure is an
 * exception that names the file. No operation follows a link in the last part of a path.
 */
interface Disk {
    /** The names in a directory, in no order; at most so many of them. */
    List<String> names(Path directory, int most) throws IOException;

    BasicFileAttributes attributes(Path path) throws IOException;

    InputStream open(Path file) throws IOException;

    /** With its parents; a link to a directory will do. */
    void createDirectories(Path directory) throws IOException;

    void createDirectory(Path directory) throws IOException;

    /** Makes a file, which must not be there, with that content. */
    void write(Path file, byte[] content) throws IOException;

    void sync(Path file) throws IOException;

    void syncDirectory(Path directory) throws IOException;

    /** At once, over a file that may be there. */
    void move(Path from, Path to) throws IOException;

    /** A file, a link, or an empty directory. */
    void delete(Path path) throws IOException;
}
