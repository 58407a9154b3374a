package io.polder.data;

import io.polder.files.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Normalisations that were computed once: a small text file for each, in {@code normalization} below the cache directory,
 * named by what it was computed from. A file that is damaged counts as none; a cache that cannot be written costs time, not
 * the run.
 */
record NormalizationCache(Path directory) {
    private static final String TITLE = "polder normalization 1";
    private static final int MOST_IMAGES = 50_000;

    /** Of the images, or of 50,000 evenly spread over them. */
    Normalization of(ImageSource images, Optional<String> fingerprint, Framing framing) throws IOException {
        ImageSource measured = spread(images);
        if (fingerprint.isEmpty()) {
            return Normalization.of(measured);
        }
        String key = Sha256.of(fingerprint.get() + "\n" + framing + "\n" + measured.size());
        Path file = directory.resolve("normalization").resolve(key + ".txt");
        Optional<Normalization> kept = read(file, images.shape().channels());
        if (kept.isPresent()) {
            return kept.get();
        }
        Normalization computed = Normalization.of(measured);
        write(computed, file);
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

    private static Optional<Normalization> read(Path file, int channels) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > 1 << 16) {
                return Optional.empty();
            }
            List<String> lines = Files.readAllLines(file);
            if (lines.size() != channels + 1 || !lines.get(0).equals(TITLE)) {

                return Optional.empty();
            }
            float[] mean = new float[channels];
            float[] deviation = new float[channels];
            for (int channel = 0; channel < channels; channel++) {
                String[] numbers = lines.get(channel + 1).split(" ");
                mean[channel] = Float.parseFloat(numbers[0]);
                deviation[channel] = Float.parseFloat(numbers[1]);
            }
            return Optional.of(new Normalization(mean, deviation));
        } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static void write(Normalization normalization, Path file) {
        List<String> lines = new ArrayList<>(List.of(TITLE));
        for (int channel = 0; channel < normalization.mean().length; channel++) {
            // The shortest digits that read back as the same number.
            lines.add(normalization.mean()[channel] + " " + normalization.deviation()[channel]);
        }
        try {
            Files.createDirectories(file.getParent());
            Path draft = Files.createTempFile(file.getParent(), ".draft", ".tmp");
            try {
                Files.write(draft, lines, StandardCharsets.UTF_8);
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
