package io.polder.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.api.AbstractStringAssert;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are broken, or made to break something. */
final class HostileImagesTest {
    private static final int HEIGHT = 40;
    private static final int WIDTH = 56;
    private static final byte[] PIXELS = DecoderTest.smooth(HEIGHT, WIDTH);
    private static final byte[] JPEG = Encoder.jpeg(PIXELS, HEIGHT, WIDTH, 90);
    private static final byte[] PNG = Encoder.png(PIXELS, HEIGHT, WIDTH);

    @Test
    void aJpegCutInHalfIsCutShort() {
        byte[] whole = Encoder.jpeg(DecoderTest.smooth(300, 400), 300, 400, 90);
        assertThatReading(Arrays.copyOf(whole, whole.length / 2)).isEqualTo("cat is cut short: it has no end mark");
    }

    @Test
    void everyCutIsAFaultThatNamesTheFile() {
        for (byte[] whole : new byte[][] {JPEG, PNG}) {
            for (int length = 0; length < whole.length; length++) {
                assertThatReading(Arrays.copyOf(whole, length)).startsWith("cat is ");
            }
        }
    }

    @Test
    void aPngOf60000By60000IsRefusedByItsHeader() {
        byte[] file = new PngWriter(60_000, 60_000, 8, 2).data(new byte[100]).file();
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertThatReading(file)
                .isEqualTo("cat is 60000 x 60000 pixels, more than the 67108864 that are read: make it smaller");
        long before = memory.getCurrentThreadAllocatedBytes();
        assertThat(outcome(file)).isFalse();
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }

    @Test
    void sizesOfWhichTheProductWrapsAreRefused() {
        assertThatReading(new PngWriter(-1, -1, 8, 2).data(new byte[1]).file()).contains("4294967295 x 4294967295");
        assertThatReading(new PngWriter(0, 5, 8, 2).data(new byte[1]).file()).contains("0 x 5");
    }

    @Test
    void whatIsNoImageIsTold() {
        assertThatReading("#!/bin/sh\necho hello\n".getBytes(StandardCharsets.US_ASCII))
                .isEqualTo("cat is no image that can be read: JPEG, PNG, WebP and BMP can");
        assertThatReading(new byte[0]).isEqualTo("cat is empty");
        assertThatReading(new byte[] {'B', 'M'}).isEqualTo("cat is cut short");
    }

    @Test
    void everyBitThatFlipsInAPngIsAFault() {
        for (int bit = 8 * 8; bit < 8 * PNG.length; bit++) {
            byte[] damaged = PNG.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatReading(damaged).startsWith("cat is ");
        }
    }

    /** The sentence is ours: libpng would write its own, to the standard error. */
    @Test
    void aPngOfAKindThatDoesNotExistIsRefusedByItsHeader() throws IOException {
        var kinds = Map.of(
                0, Set.of(1, 2, 4, 8, 16), 2, Set.of(8, 16), 3, Set.of(1, 2, 4, 8), 4, Set.of(8, 16), 6, Set.of(8, 16));
        for (int colours = 0; colours < 9; colours++) {
            for (int bits = 0; bits < 33; bits++) {
                byte[] file = new PngWriter(HEIGHT, WIDTH, bits, colours)
                        .data(new byte[5])
                        .file();
                if (kinds.getOrDefault(colours, Set.of()).contains(bits)) {
                    assertThat(ImageHeader.of("cat", file, file.length).format())
                            .isEqualTo(ImageHeader.Format.PNG);
                } else {
                    assertThatReading(file).startsWith("cat is a PNG of a kind that does not exist");
                }
            }
        }
    }

    /** A PNG whose header is true but whose pixels are missing: every checksum is right. */
    @Test
    void aPngWithoutPixelsIsAFault() {
        byte[] file = new PngWriter(HEIGHT, WIDTH, 8, 2).data(new byte[5]).file();
        byte[] empty = new PngWriter(HEIGHT, WIDTH, 8, 2).file();
        byte[] half = new PngWriter(HEIGHT, WIDTH, 8, 2)
                .data(new byte[HEIGHT / 2 * (1 + 3 * WIDTH)])
                .file();
        assertThatDecoding(file);
        assertThatDecoding(empty);
        assertThatDecoding(half);
    }

    /**
     * Many damaged files of each format: the outcome is pixels or an IOException, no more than 64 MiB of the heap for one
     * file and no growth of the process. The seed is printed.
     */
    @ParameterizedTest
    @ValueSource(strings = {"jpeg", "png", "bmp", "webp"})
    @Timeout(300)
    void aMutatedFileIsDecodedOrRefused(String format) throws IOException {
        long seed = Long.getLong("polder.seed", System.nanoTime());
        System.out.println("HostileImagesTest mutates " + format + " with -Dpolder.seed=" + seed);
        byte[] original = Encoder.encode("." + format, PIXELS, HEIGHT, WIDTH);
        assertThat(outcome(original)).isTrue();
        var random = new SplittableRandom(seed);
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long process = Pointer.physicalBytes();
        int refused = 0;
        for (int i = 0; i < 1500; i++) {
            byte[] damaged = mutated(original, random);
            long before = memory.getCurrentThreadAllocatedBytes();
            if (!outcome(damaged)) {
                refused++;
            }
            assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 20);
        }
        assertThat(refused).isPositive();
        assertThat(Pointer.physicalBytes() - process).isLessThan(512L << 20);
    }

    private static byte[] mutated(byte[] original, SplittableRandom random) {
        byte[] bytes = random.nextInt(4) == 0
                ? Arrays.copyOf(original, random.nextInt(original.length + 20))
                : original.clone();
        int changes = bytes.length == 0 ? 0 : random.nextInt(6);
        for (int i = 0; i < changes; i++) {
            // The header is where the numbers are.
            int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 64) : bytes.length);
            bytes[at] = (byte) (random.nextInt(3) == 0 ? 0xff : random.nextInt(256));
        }
        return bytes;
    }

    /** Whether it was decoded; only an IOException that names the file says that it was not. */
    private static boolean outcome(byte[] file) {
        try {
            ImageHeader header = ImageHeader.of("cat", file, file.length);
            assertThat((long) header.height() * header.width()).isBetween(1L, (long) ImageHeader.MOST_PIXELS);
            Frame frame = Frame.of(Area.of(header.height(), header.width()), 24, 24, false);
            Decoder.decode("cat", file, file.length, header, frame, new byte[24 * 24 * 3]);
            return true;
        } catch (IOException e) {
            assertThat(e).hasMessageStartingWith("cat is ");
            return false;
        }
    }

    private static void assertThatDecoding(byte[] file) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Decoder.decode(
                        "cat",
                        file,
                        file.length,
                        ImageHeader.of("cat", file, file.length),
                        Frame.of(Area.of(HEIGHT, WIDTH), HEIGHT, WIDTH, false),
                        new byte[PIXELS.length]))
                .withMessageStartingWith("cat is ");
    }

    private static AbstractStringAssert<?> assertThatReading(byte[] file) {
        var thrown = assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ImageHeader.of("cat", file, file.length))
                .actual();
        return assertThat(thrown.getMessage());
    }
}
