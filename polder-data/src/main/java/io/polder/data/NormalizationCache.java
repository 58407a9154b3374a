package io.polder.data;

import io.polder.files.Sha256;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Normalisations that were computed once: a small text file for each, in {@code normalization} below the cache directory,
 * named by what it was computed from. Its last line is the SHA-256 of that name and the lines before: a file that is damaged,
 * of another set or without a checksum counts as none. A cache that cannot be written costs time, not the run.
 */
record NormalizationCache(Path directory) {
    private static final String TITLE = "polder normalization 2";
    private static final int SUM_LINE = 65;
    private static final int MOST_IMAGES = 50_000;

    /** Of the images, or of 50,000 evenly spread over them. */
    Normalization of(ImageSource images, Optional<String> fingerprint, Framing framing) throws IOException {
        ImageSource measured = spread(images);
        if (fingerprint.isEmpty()) {
            return Normalization.of(measured);
        }
        String key = Sha256.of(fingerprint.get() + "\n" + framing + "\n" + measured.size());
        Path file = directory.resolve("normalization").resolve(key + ".txt");
        Optional<Normalization> kept = read(file, key, images.shape().channels());
        if (kept.isPresent()) {
            return kept.get();
        }
        Normalization computed = Normalization.of(measured);
        write(computed, file, key);
        return computed;
    }

    /** Every so-and-so-manieth image: folders are sorted by class, and each must have its share. */
    private static ImageSource spread(ImageSource images) {
        int most = MOST_IMAGES;
        if (images.size() <= most) {
            return images;
        }
        return new Subset(
                images,
                IntStream.range(0, most)
                        .map(i -> (int) ((long) i * images.size() / most))
                        .toArray());
    }

    private static Optional<Normalization> read(Path file, String key, int channels) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > 1 << 16) {
                return Optional.empty();
            }
            String text = Files.readString(file);
            String values = text.substring(0, Math.max(0, text.length() - SUM_LINE));
            String[] lines = values.split("\n");
            if (!text.equals(summed(values, key)) || lines.length != channels + 1 || !lines[0].equals(TITLE)) {
                return Optional.empty();
            }
            float[] mean = new float[channels];
            float[] deviation = new float[channels];
            for (int channel = 0; channel < channels; channel++) {
                String[] numbers = lines[channel + 1].split(" ");
                mean[channel] = Float.parseFloat(numbers[0]);
                deviation[channel] = Float.parseFloat(numbers[1]);
                // Of pixel values from 0 to 1.
                if (!(mean[channel] >= 0 && mean[channel] <= 1 && deviation[channel] <= 1)) {
                    return Optional.empty();
                }
            }
            return Optional.of(new Normalization(mean, deviation));
        } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static String summed(String values, String key) {
        return values + Sha256.of(key + "\n" + values) + "\n";
    }

    private static void write(Normalization normalization, Path file, String key) {
        StringBuilder values = new StringBuilder(TITLE).append('\n');
        for (int channel = 0; channel < normalization.mean().length; channel++) {
            // The shortest digits that read back as the same number.
            values.append(normalization.mean()[channel])
                    .append(' ')
                    .append(normalization.deviation()[channel])
                    .append('\n');
        }
        try {
            Files.createDirectories(file.getParent());
            Path draft = Files.createTempFile(file.getParent(), ".draft", ".tmp");
            try {
                Files.writeString(draft, summed(values.toString(), key));
                move(draft, file);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            // Computed again the next time.
        }
    }

    private static void move(Path draft, Path file) throws IOException {
        try {
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
