package io.polder.data;

import io.polder.files.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

/** Normalisations that were computed once, in {@code normalization} below the cache directory. */
record NormalizationCache(Path directory) {
    private static final String TITLE = "polder normalization 2";
    private static final int MOST_IMAGES = 50_000;

    /** Of the images, or of 50,000 evenly spread over them. */
    Normalization of(ImageSource images, Optional<String> fingerprint, Framing framing) throws IOException {
        ImageSource measured = spread(images);
        if (fingerprint.isEmpty()) {
            return Normalization.of(measured);
        }
        String key = Sha256.of(fingerprint.get() + "\n" + framing + "\n" + measured.size());
        var kept = new KeptText(directory.resolve("normalization"));
        Optional<Normalization> known =
                kept.of(key).flatMap(text -> parsed(text, images.shape().channels()));
        if (known.isPresent()) {
            return known.get();
        }
        Normalization computed = Normalization.of(measured);
        kept.keep(key, text(computed));
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

    private static Optional<Normalization> parsed(String text, int channels) {
        String[] lines = text.split("\n");
        if (lines.length != channels + 1 || !lines[0].equals(TITLE)) {
            return Optional.empty();
        }
        float[] mean = new float[channels];
        float[] deviation = new float[channels];
        try {
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
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static String text(Normalization normalization) {
        StringBuilder text = new StringBuilder(TITLE).append('\n');
        for (int channel = 0; channel < normalization.mean().length; channel++) {
            // The shortest digits that read back as the same number.
            text.append(normalization.mean()[channel])
                    .append(' ')
                    .append(normalization.deviation()[channel])
                    .append('\n');
        }
        return text.toString();
    }
}
