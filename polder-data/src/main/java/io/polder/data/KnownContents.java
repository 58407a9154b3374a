package io.polder.data;

import io.polder.files.Sha256;
import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What folders were found to hold when they were last read: a line for each, in {@code contents} below the cache directory, in a file
 * named by where the folder is and by its files' names, sizes and times. A file that is damaged counts as none; a cache that cannot be
 * written costs time, not the run.
 */
record KnownContents(Path cache) {
    private static final int MOST_BYTES = 1 << 10;

    Optional<String> of(String key) {
        Path file = file(key);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
                return Optional.empty();
            }
            String[] words = Files.readString(file).strip().split(" ");
            return words.length == 2 && words[1].equals(check(key, words[0]))
                    ? Optional.of(words[0])
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    void keep(String key, String contents) {
        try {
            WholeFile.write(file(key), contents + " " + check(key, contents) + "\n");
        } catch (IOException e) {
            // Read again the next time.
        }
    }

    private Path file(String key) {
        return cache.resolve("contents").resolve(key + ".txt");
    }

    private static String check(String key, String contents) {
        return Sha256.of(key + " " + contents);
    }
}
