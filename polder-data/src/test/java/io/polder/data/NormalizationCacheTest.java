package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.files.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NormalizationCacheTest {
    private static final ImageShape SHAPE = new ImageShape(3, 4, 4);
    private static final int IMAGES = 3;

    @TempDir
    private Path directory;

    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void whatWasComputedIsReadTheNextTime() throws IOException {
        Normalization computed = of("set");
        assertThat(reads.get()).isEqualTo(IMAGES);
        assertThat(of("set")).isEqualTo(computed);
        assertThat(reads.get()).as("no image was read").isEqualTo(IMAGES);
    }

    @Test
    void noFlippedBitChangesTheNormalization() throws IOException {
        Normalization computed = of("set");
        Path file = kept().get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, flipped);
            assertThat(of("set")).as("bit %d", bit).isEqualTo(computed);
            assertThat(Files.readAllBytes(file)).as("mended").isEqualTo(whole);
        }
    }

    @Test
    void theFileOfAnotherSetCountsAsNone() throws IOException {
        of("set");
        Path file = kept().get(0);
        Path other = directory.resolve("other");
        Files.move(file, other);
        of("another set");
        Files.move(other, kept().get(0), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        reads.set(0);
        of("another set");
        assertThat(reads.get()).isEqualTo(IMAGES);
    }

    @Test
    void aFileWithoutAChecksumOrWithImpossibleValuesCountsAsNone() throws IOException {
        Normalization computed = of("set");
        Path file = kept().get(0);
        Files.writeString(file, "polder normalization 1\n0.5 0.25\n0.5 0.25\n0.5 0.25\n");
        assertThat(of("set")).isEqualTo(computed);
        String key = file.getFileName().toString().replace(".txt", "");
        for (String values : List.of("0.5 0.25", "1.5 0.25", "-0.5 0.25", "0.5 0", "0.5 2", "0.5 NaN", "0.5")) {
            String text = "polder normalization 2\n" + (values + "\n").repeat(3);
            Files.writeString(file, text + Sha256.of(key + "\n" + text) + "\n");
            boolean possible = values.equals("0.5 0.25");
            assertThat(of("set").equals(computed)).as(values).isNotEqualTo(possible);
        }
    }

    private Normalization of(String fingerprint) throws IOException {
        return new NormalizationCache(directory)
                .of(new Counted(reads), Optional.of(fingerprint), Framing.asIs(SHAPE.height(), SHAPE.width()));
    }

    private List<Path> kept() throws IOException {
        try (var files = Files.list(directory.resolve("normalization"))) {
            return files.toList();
        }
    }

    private record Counted(AtomicInteger reads) implements ImageSource {
        @Override
        public int size() {
            return IMAGES;
        }

        @Override
        public ImageShape shape() {
            return SHAPE;
        }

        @Override
        public int classes() {
            return 1;
        }

        @Override
        public int label(int index) {
            return 0;
        }

        @Override
        public void read(int index, byte[] destination) {
            reads.incrementAndGet();
            new SplittableRandom(index).nextBytes(destination);
        }
    }
}
