package io.polder.data.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files below a root, in a directory or in an archive: names with slashes, relative to the root. Any number of threads may
 * read at once, and an interrupt does no harm to the files.
 */
interface FileTree extends Closeable {
    /** The longest file that is read. */
    int MOST_FILE_BYTES = 1 << 28;

    /** Directories above a file: deep enough for every layout there is. */
    int MOST_LEVELS = 32;

    /** The directories straight below one, by their last names, sorted; "" is the root. None where there is no such directory. */
    List<String> directories(String directory) throws IOException;

    /** Every file below a directory at whatever depth, by its whole name, sorted. */
    List<String> files(String directory) throws IOException;

    boolean isFile(String name) throws IOException;

    /** @throws IOException in one sentence that names the file, if it is not there, too long or damaged */
    void read(String name, FileBytes into) throws IOException;

    /**
     * Makes sure that the files that are not going to be read are what they are listed as; those that are, are checked then.
     *
     * @throws IOException in one sentence, if one is another
     */
    default void checkUnread(Predicate<String> isRead) throws IOException {}

    /** What changes when the file does, without reading it. */
    String stamp(String name) throws IOException;

    /**
     * The length and the CRC-32 of what is in the file, the same in a directory and in an archive of it. An archive has it in its
     * list; a directory reads the file.
     */
    String contents(String name) throws IOException;

    /** What messages call a file. */
    String display(String name);
}
