package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdxTest {
    private static final int IMAGES = 0x00000803;
    private static final int LABELS = 0x00000801;

    /** Three images of 1 x 2. */
    private static final byte[] THREE_IMAGES = idx(new int[] {IMAGES, 3, 1, 2}, 1, 2, 3, 4, 5, 200);

    private static final byte[] THREE_LABELS = idx(new int[] {LABELS, 3}, 0, 4, 1);

    @TempDir
    private Path directory;

    @Test
    void imagesAndLabelsAreReadInOrder() throws IOException {
        assertIsTheThreeImages(read(THREE_IMAGES, THREE_LABELS));
    }

    @Test
    void gzipAndPlainGiveTheSame() throws IOException {
        assertIsTheThreeImages(read(gzip(THREE_IMAGES), gzip(THREE_LABELS)));
        assertIsTheThreeImages(read(gzip(THREE_IMAGES), THREE_LABELS));
    }

    @Test
    void theFirstBytesDecideAboutGzipNotTheName() throws IOException {
        Path images = Files.write(directory.resolve("images"), gzip(THREE_IMAGES));
        Path labels = Files.write(directory.resolve("labels.gz"), THREE_LABELS);
        assertIsTheThreeImages(Idx.read(images, labels));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-idx%d-ubyte", "-idx%d-ubyte.gz", ".idx%d-ubyte", ".idx%d-ubyte.gz"})
    void aSplitIsFoundUnderEachOfItsSpellings(String ending) throws IOException {
        Files.write(directory.resolve("t10k-images" + ending.formatted(3)), THREE_IMAGES);
        Files.write(directory.resolve("t10k-labels" + ending.formatted(1)), THREE_LABELS);
        assertIsTheThreeImages(Idx.read(directory, "t10k"));
        assertThatIOExceptionOf(() -> Idx.read(directory, "train"))
                .isEqualTo(directory + " has no train-images-idx3-ubyte, plain or .gz: "
                        + "put the data set's files there or give their directory");
    }

    @Test
    void aMissingFileIsNamed() {
        Path images = directory.resolve("images");
        assertThatIOExceptionOf(() -> Idx.read(images, directory.resolve("labels")))
                .isEqualTo(images + " is not a file that can be read: check the path and its permissions");
        assertThatIOExceptionOf(() -> Idx.read(directory, directory)).startsWith(directory + " is not a file");
    }

    @Test
    void idxCutShortIsOneSentence() {
        assertThatImages(Arrays.copyOf(THREE_IMAGES, THREE_IMAGES.length - 2))
                .isEqualTo("the-images is cut short: its header promises 6 bytes and 4 were found; fetch it again");
    }

    @Test
    void everyCutOfAFileIsAFaultThatNamesIt() throws IOException {
        for (byte[] whole : new byte[][] {THREE_IMAGES, gzip(THREE_IMAGES)}) {
            for (int length = 0; length < whole.length; length++) {
                assertThatImages(Arrays.copyOf(whole, length))
                        .as("first %d of %d bytes", length, whole.length)
                        .startsWith("the-images ");
            }
        }
    }

    @Test
    void idxWithTrailingBytesIsRefused() {
        assertThatImages(Arrays.copyOf(THREE_IMAGES, THREE_IMAGES.length + 1))
                .isEqualTo("the-images goes on after the 6 bytes its header promises: fetch it again");
    }

    @Test
    void labelsInPlaceOfImagesAreRefusedByTheirMagic() {
        assertThatImages(idx(new int[] {LABELS, 12}, new int[12]))
                .isEqualTo("the-images is not an IDX file of images: it begins with 0x00000801, not 0x00000803; "
                        + "give another file or fetch it again");
        assertThatIOExceptionOf(() -> read(THREE_IMAGES, THREE_IMAGES))
                .startsWith("the-labels is not an IDX file of labels: it begins with 0x00000803, not 0x00000801;");
    }

    @Test
    void idxThatPromises2To31ImagesAllocatesNothing() {
        // The last two pass 2^63: to exactly 0 and to a small number in 64 bits.
        int[][] promises = {
            {1 << 31, 1, 1},
            {-1, 28, 28},
            {1 << 30, 28, 28},
            {1, -1, 1},
            {1, 1 << 16, 1 << 16},
            {1 << 31, 1 << 31, 4},
            {1 << 31, 1 << 31, 5},
        };
        for (int[] promise : promises) {
            assertThatImages(idx(new int[] {IMAGES, promise[0], promise[1], promise[2]}, 1, 2, 3))
                    .as(Arrays.toString(promise))
                    .isEqualTo("the-images promises more than the 2147483639 bytes one array can hold: "
                            + "its header is damaged, fetch it again");
        }
    }

    @Test
    void aPromiseThatOneArrayCouldHoldAllocatesNothingEither() {
        byte[] file = idx(new int[] {IMAGES, Integer.MAX_VALUE - 8, 1, 1}, 1, 2, 3);
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();
        assertThatImages(file)
                .isEqualTo("the-images is cut short: its header promises 2147483639 bytes and 3 were found; "
                        + "fetch it again");
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
    }

    @Test
    void aSetWithoutImagesIsRefused() {
        assertThatImages(idx(new int[] {IMAGES, 0, 28, 28}))
                .isEqualTo("the-images holds no images: give a file that does");
        assertThatImages(idx(new int[] {IMAGES, 3, 0, 28}))
                .isEqualTo("the-images holds no images: give a file that does");
    }

    @Test
    void countsThatDifferAreRefusedWithBothNames() {
        assertThatIOExceptionOf(() -> read(THREE_IMAGES, idx(new int[] {LABELS, 2}, 0, 1)))
                .isEqualTo("the-images has 3 images but the-labels has 2 labels: give two files of one split");
    }

    @Test
    void everyBitThatFlipsInGzipBytesIsAFaultOrHarmless() throws IOException {
        byte[] zipped = gzip(THREE_IMAGES);
        int faults = 0;
        for (int bit = 0; bit < 8 * zipped.length; bit++) {
            byte[] damaged = zipped.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertIsTheThreeImages(read(damaged, THREE_LABELS));
            } catch (IOException e) {
                assertThat(e).as("bit %d", bit).hasMessageStartingWith("the-images ");
                faults++;
            }
        }
        // Flags, time and system in the ten bytes of header may change unnoticed; nothing after them may.
        assertThat(faults).isGreaterThanOrEqualTo(8 * (zipped.length - 10));
    }

    /** Plain and zipped, cut and changed: images or an IOException that names a file, and no more than 16 MiB. */
    @Test
    void aMutatedFileIsReadOrRefusedInASentence() throws IOException {
        long seed = Long.getLong("polder.seed", System.nanoTime());
        System.out.println("IdxTest mutates with -Dpolder.seed=" + seed);
        var random = new SplittableRandom(seed);
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int refused = 0;
        for (int i = 0; i < 5000; i++) {
            byte[] images = mutated(random.nextBoolean() ? THREE_IMAGES : gzip(THREE_IMAGES), random);
            byte[] labels = mutated(random.nextBoolean() ? THREE_LABELS : gzip(THREE_LABELS), random);
            long before = memory.getCurrentThreadAllocatedBytes();
            try {
                assertThat(read(images, labels).size()).isPositive();
            } catch (IOException e) {
                assertThat(e.getMessage()).startsWith("the-");
                refused++;
            }
            assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
        }
        assertThat(refused).isBetween(1000, 4999);
    }

    private static byte[] mutated(byte[] original, SplittableRandom random) {
        byte[] bytes = random.nextInt(4) == 0
                ? Arrays.copyOf(original, random.nextInt(original.length + 8))
                : original.clone();
        for (int changes = random.nextInt(3); changes > 0 && bytes.length > 0; changes--) {
            bytes[random.nextInt(bytes.length)] = (byte) (random.nextInt(3) == 0 ? 0xff : random.nextInt(256));
        }
        return bytes;
    }

    @Test
    void whatOnlyBeginsLikeGzipIsRefused() {
        assertThatImages(new byte[] {0x1f, (byte) 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
                .isEqualTo("the-images is a damaged gzip file or cut short: fetch it again");
    }

    private static void assertIsTheThreeImages(ImagesInMemory images) {
        assertThat(images.size()).isEqualTo(3);
        assertThat(images.shape()).isEqualTo(new ImageShape(1, 1, 2));
        assertThat(images.classes()).as("highest label + 1").isEqualTo(5);
        byte[] image = new byte[2];
        images.read(2, image);
        assertThat(image).containsExactly(5, 200);
        images.read(0, image);
        assertThat(image).containsExactly(1, 2);
        assertThat(images.label(0)).isEqualTo(0);
        assertThat(images.label(1)).isEqualTo(4);
        assertThat(images.label(2)).isEqualTo(1);
    }

    private static AbstractStringAssert<?> assertThatImages(byte[] images) {
        return assertThatIOExceptionOf(() -> read(images, THREE_LABELS));
    }

    private static AbstractStringAssert<?> assertThatIOExceptionOf(ThrowingCallable call) {
        var thrown =
                assertThatExceptionOfType(IOException.class).isThrownBy(call).actual();
        return assertThat(thrown.getMessage());
    }

    private static ImagesInMemory read(byte[] images, byte[] labels) throws IOException {
        return Idx.read(new ByteArrayInputStream(images), "the-images", new ByteArrayInputStream(labels), "the-labels");
    }

    private static byte[] idx(int[] header, int... bytes) {
        ByteBuffer file = ByteBuffer.allocate(4 * header.length + bytes.length);
        Arrays.stream(header).forEach(file::putInt);
        Arrays.stream(bytes).forEach(b -> file.put((byte) b));
        return file.array();
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        var zipped = new ByteArrayOutputStream();
        try (var stream = new GZIPOutputStream(zipped)) {
            stream.write(plain);
        }
        return zipped.toByteArray();
    }
}
