package io.polder.checkpoint;

import java.nio.file.Path;
import java.util.SortedSet;

/**
 * A checkpoint whose every byte was compared with its checksum when the store handed it out. The store deletes it when enough
 * newer ones are there: read what you need before the next save.
 *
 * @param files the names of its files, without the manifest
 */
public record Checkpoint(long step, Path directory, SortedSet<String> files) {
    /** @throws IllegalArgumentException if it has no file of that name */
    public Path file(String name) {
        if (!files.contains(name)) {
            throw new IllegalArgumentException(
                    "name is \"" + name + "\": it must be that of a file of " + directory + ", one of " + files);
        }
        return directory.resolve(name);
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
