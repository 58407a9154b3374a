package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.polder.data.BadImagePolicy;
import io.polder.data.Dataset;
import io.polder.data.ImageSource;
import io.polder.data.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that pyarrow wrote, by tools/parquet_samples.py: image i is of the colour (10 i, 255 − 10 i, 7), its label i modulo 3. */
class ParquetImagesTest {
    private static final Path SAMPLES = Path.of("src/test/resources/parquet");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "plain"})
    void everyImageHasItsPixelsItsLabelAndItsClass(String sample) throws IOException {
        try (Dataset set = open(SAMPLES.resolve(sample))) {
            assertThat(set.classNames()).containsExactly("cat", "dog", "sea lion");
            assertIs(set.train(), IntStream.range(0, 12).toArray());
            assertIs(set.test(), IntStream.range(12, 15).toArray());
        }
    }

    @Test
    void withoutANoteClassesAreNumbersAndColumnsHaveTheirUsualNames() throws IOException {
        try (Dataset set = open(SAMPLES.resolve("second"))) {
            assertThat(set.classNames()).containsExactly("0", "1", "2");
            assertIs(set.train(), IntStream.range(0, 24).map(i -> i % 12).toArray());
        }
    }

    /** The third image is packed as what stood 40 KB before, in a column of plain bytes. */
    @Test
    void snappyThatLooksBackFarIsUnpacked() throws IOException {
        try (Dataset set = open(SAMPLES.resolve("far"))) {
            byte[][] pixels = new byte[3][3 * 120 * 110];
            for (int i = 0; i < 3; i++) {
                set.train().read(i, pixels[i]);
                assertThat(set.train().label(i)).isEqualTo(i);
            }
            assertThat(pixels[1]).isEqualTo(pixels[0]).isNotEqualTo(new byte[pixels[0].length]);
            assertThat(pixels[2]).isEqualTo(pixels[0]);
        }
    }

    /** Any row at any time, on any thread. */
    @Test
    void theOrderOfReadingDoesNotMatter() throws IOException {
        try (Dataset set = open(SAMPLES.resolve("plain"))) {
            List<Integer> order = new ArrayList<>(
                    IntStream.range(0, 240).map(i -> i % 12).boxed().toList());
            Collections.shuffle(order, new Random(7));
            assertThat(order.parallelStream().filter(i -> colour(set.train(), i) != 10 * i))
                    .isEmpty();
        }
    }

    @Test
    void anImageIsCalledByItsFileAndItsRow() throws IOException {
        Path data = SAMPLES.resolve("snappy/data");
        try (Dataset set = open(SAMPLES.resolve("snappy"))) {
            assertThat(set.train().name(8)).isEqualTo(data + "/train-00001-of-00002.parquet: row 1");
        }
    }

    @Test
    void aRowWithoutAnImageIsABadImage() throws IOException {
        Path missing = SAMPLES.resolve("missing");
        try (Dataset set = open(missing)) {
            assertThatIOException()
                    .isThrownBy(() -> set.train().read(4, new byte[36]))
                    .withMessageStartingWith(missing + "/train.parquet: row 4 ")
                    .withMessageEndingWith("say data.onBadImage: skip");
        }
        var skipping = OpenOptions.DEFAULT.withCache(directory).withOnBadImage(BadImagePolicy.SKIP);
        try (Dataset set = Datasets.named("parquet").open(missing, skipping)) {
            assertThat(colour(set.train(), 4)).isEqualTo(10); // the next of its class
            assertThat(set.badImages()).containsExactly("train.parquet/4");
        }
    }

    @Test
    void whatTheImagesAreDependsOnNothingElse() throws IOException {
        Path copy = directory.resolve("elsewhere");
        Files.createDirectories(copy);
        for (String name : List.of("train-00000-of-00001.parquet", "validation-00000-of-00001.parquet")) {
            Files.copy(SAMPLES.resolve("plain").resolve(name), copy.resolve(name));
        }
        try (Dataset one = open(SAMPLES.resolve("plain"));
                Dataset other = open(copy)) {
            assertThat(other.contents()).isEqualTo(one.contents());
        }
    }

    @Test
    void packedTheyAreTheSame() throws IOException {
        var options = OpenOptions.DEFAULT.withCache(directory).withPackedSide(3);
        try (Dataset set = Datasets.named("parquet").open(SAMPLES.resolve("plain"), options)) {
            assertIs(set.train(), IntStream.range(0, 12).toArray());
        }
    }

    @Test
    void whatCannotBeReadIsASentence() throws IOException {
        refuses(SAMPLES.resolve("zstd"), "train.parquet is packed by Zstandard: write it with Snappy, gzip or none");
        refuses(
                directory,
                " has no files to train on: give a directory with some, such as train-00000-of-00001.parquet");
        refuses(directory.resolve("nowhere"), " is not a directory: give one with files such as");
        byte[] good = Files.readAllBytes(SAMPLES.resolve("second/test.parquet"));
        Path train = directory.resolve("train-00000-of-00001.parquet");
        Files.write(train, good);
        refuses(
                directory,
                " has files to train on and none for the test: put some there, such as test-00000-of-00001.parquet");
        Files.write(directory.resolve("test.parquet"), good);
        open(directory).close();
        Files.write(train, Arrays.copyOf(good, good.length - 9));
        refuses(directory, train + " is no Parquet file, encrypted or cut short: give another or fetch it again");
        Files.delete(train);
        Files.write(directory.resolve("train-00001-of-00003.parquet"), good);
        refuses(directory, "train-00001-of-00003.parquet is one of 3, of which 1 are there: fetch the others, too");
    }

    private void refuses(Path path, String sentence) {
        assertThatIOException().isThrownBy(() -> open(path)).withMessageContaining(sentence);
    }

    private Dataset open(Path path) throws IOException {
        return Datasets.named("parquet").open(path, OpenOptions.DEFAULT.withCache(directory.resolve("cache")));
    }

    private static void assertIs(ImageSource images, int... numbers) throws IOException {
        assertThat(images.size()).isEqualTo(numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            assertThat(images.label(i)).isEqualTo(numbers[i] % 3);
            assertThat(colour(images, i)).as("image %d", i).isEqualTo(10 * numbers[i]);
        }
    }

    /** Red of the last pixel, if the others are what goes with it. */
    static int colour(ImageSource images, int index) {
        byte[] pixels = new byte[3 * 4 * 3];
        try {
            images.read(index, pixels);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        int red = Byte.toUnsignedInt(pixels[33]);
        assertThat(Byte.toUnsignedInt(pixels[34])).isEqualTo(255 - red);
        assertThat(pixels[35]).isEqualTo((byte) 7);
        return red;
    }
}
