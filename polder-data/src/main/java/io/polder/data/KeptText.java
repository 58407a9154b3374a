package io.polder.data;

import io.polder.files.Sha256;
import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Texts that took long to find out: a file for each in a directory, named by what it was found out of. Its last line is the SHA-256 of
 * that name and the lines before: a file that is damaged, of another name or without a checksum counts as none. What cannot be kept
 * costs time, not the run.
 */
public record KeptText(Path directory) {
    private static final int SUM_LINE = 65;
    private static final int MOST_BYTES = 1 << 24;

    public Optional<String> of(String key) {
        Path file = file(key);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
                return Optional.empty();
            }
            String all = Files.readString(file);
            String text = all.substring(0, Math.max(0, all.length() - SUM_LINE));
            return all.equals(summed(key, text)) ? Optional.of(text) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** @param text of whole lines */
    public void keep(String key, String text) {
        try {
            WholeFile.write(file(key), summed(key, text));
        } catch (IOException e) {
            // Found out again the next time.
        }
    }

    private Path file(String key) {
        return directory.resolve(key + ".txt");
    }

    private static String summed(String key, String text) {
        return text + Sha256.of(key + "\n" + text) + "\n";
    }
}
