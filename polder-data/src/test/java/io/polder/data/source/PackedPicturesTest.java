package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.BadImagePolicy;
import io.polder.data.Dataset;
import io.polder.data.Framing;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.OpenOptions;
import io.polder.image.Encoder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackedPicturesTest {
    private static final int SIDE = 16;

    @TempDir
    private Path directory;

    private Path root;
    private Path cache;

    @BeforeEach
    void writeFolder() throws IOException {
        root = directory.resolve("folder");
        cache = directory.resolve("cache");
        for (int i = 0; i < 12; i++) {
            write(
                    (i < 9 ? "train/" : "test/") + (i % 2 == 0 ? "ant/" : "bee/") + i + ".png",
                    10 + 2 * i,
                    40 - 2 * i,
                    i);
        }
        // The first test classes are both there: 9 and 11 are bees, 10 is an ant.
    }

    @Test
    void packedImagesHaveTheShorterSideAskedForAndAreNeverMadeLarger() throws IOException {
        try (var dataset = open(BadImagePolicy.FAIL)) {
            assertThat(dataset.natural()).isEqualTo(new ImageShape(3, 10, 40));
            assertThat(dataset.train().size()).isEqualTo(9);
        }
        // 0.png is 10 x 40 and stays; the header says so.
        assertThat(packs()).hasSize(2);
    }

    /** At the size it is packed in, an image is what decoding it gives. */
    @Test
    void packedAndPlainGiveTheSamePixels() throws IOException {
        Framing all = Framing.centred(SIDE, SIDE);
        try (var plain = Datasets.named("image-folder").open(root, OpenOptions.DEFAULT);
                var packed = open(BadImagePolicy.FAIL)) {
            byte[] expected = new byte[3 * SIDE * SIDE];
            byte[] found = new byte[3 * SIDE * SIDE];
            // Images 3 and 4 of the ants are 6.png and 8.png: 22 x 28 and 26 x 24, both larger than packed.
            for (int i : new int[] {3, 4}) {
                plain.train().framed(all).read(i, expected);
                packed.train().framed(all).read(i, found);
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    @Test
    void aPackIsMadeOnceAndAnewWhenTheFolderChanged() throws IOException {
        open(BadImagePolicy.FAIL).close();
        List<FileTime> times = times();
        open(BadImagePolicy.FAIL).close();
        assertThat(times()).isEqualTo(times);
        write("train/ant/new.png", 20, 20, 99);
        try (var dataset = open(BadImagePolicy.FAIL)) {
            assertThat(dataset.train().size()).isEqualTo(10);
        }
        assertThat(packs()).as("in the place of the old one").hasSize(2);
        assertThat(times()).isNotEqualTo(times);
    }

    @Test
    void replacedImagesAreCountedAlsoFromThePack() throws IOException {
        Files.writeString(root.resolve("train/ant/4.png"), "no image");
        for (int i = 0; i < 2; i++) {
            try (var dataset = open(BadImagePolicy.SKIP)) {
                assertThat(dataset.badImages()).containsExactly("train/ant/4.png");
            }
        }
    }

    /** Cut, lengthened, changed anywhere: the images are those of the folder, from the pack, anew, or decoded again. */
    @Test
    void whateverHappensToAPackTheImagesAreTheSame() throws IOException {
        long seed = Long.getLong("polder.seed", System.nanoTime());
        System.out.println("PackedPicturesTest mutates with -Dpolder.seed=" + seed);
        var random = new SplittableRandom(seed);
        List<byte[]> expected = all();
        List<Path> packs = packs();
        List<byte[]> originals = new ArrayList<>();
        for (Path pack : packs) {
            originals.add(Files.readAllBytes(pack));
        }
        for (int i = 0; i < 300; i++) {
            for (int p = 0; p < packs.size(); p++) {
                byte[] original = originals.get(p);
                byte[] damaged = random.nextInt(4) == 0
                        ? Arrays.copyOf(original, random.nextInt(original.length + 50))
                        : original.clone();
                for (int c = random.nextInt(4); c > 0 && damaged.length > 0; c--) {
                    int end = random.nextBoolean() ? Math.min(300, damaged.length) : damaged.length;
                    damaged[random.nextInt(end)] = (byte) random.nextInt(256);
                }
                // Another file: the old one may still be mapped.
                Files.delete(packs.get(p));
                Files.write(packs.get(p), damaged);
            }
            List<byte[]> found = all();
            for (int image = 0; image < expected.size(); image++) {
                assertThat(found.get(image)).isEqualTo(expected.get(image));
            }
        }
    }

    /** Another process, or a full disc, may cut it at any time. */
    @Test
    void aPackThatIsCutShortWhileItIsReadStillGivesTheSameImages() throws IOException {
        List<byte[]> expected = all();
        for (long length : new long[] {2000, 60, 0}) {
            try (var dataset = open(BadImagePolicy.FAIL)) {
                for (Path pack : packs()) {
                    try (var file = FileChannel.open(pack, StandardOpenOption.WRITE)) {
                        file.truncate(length);
                    }
                }
                List<byte[]> found = images(dataset);
                for (int image = 0; image < expected.size(); image++) {
                    assertThat(found.get(image)).isEqualTo(expected.get(image));
                }
            }
        }
    }

    private List<byte[]> all() throws IOException {
        try (var dataset = open(BadImagePolicy.FAIL)) {
            return images(dataset);
        }
    }

    private static List<byte[]> images(Dataset dataset) throws IOException {
        List<byte[]> images = new ArrayList<>();
        for (ImageSource pictures : List.of(dataset.train(), dataset.test())) {
            for (int i = 0; i < pictures.size(); i++) {
                byte[] image = new byte[3 * 64];
                pictures.framed(Framing.stretched(8, 8)).read(i, image);
                images.add(image);
            }
        }
        return images;
    }

    private Dataset open(BadImagePolicy onBadImage) throws IOException {
        return Datasets.named("image-folder")
                .open(
                        root,
                        OpenOptions.DEFAULT
                                .withCache(cache)
                                .withPackedSide(SIDE)
                                .withOnBadImage(onBadImage));
    }

    private List<Path> packs() throws IOException {
        try (var files = Files.list(cache.resolve("packed"))) {
            return files.sorted().toList();
        }
    }

    private List<FileTime> times() throws IOException {
        List<FileTime> times = new ArrayList<>();
        for (Path pack : packs()) {
            times.add(Files.getLastModifiedTime(pack));
        }
        return times;
    }

    private void write(String name, int height, int width, int seed) throws IOException {
        byte[] pixels = new byte[3 * height * width];
        new SplittableRandom(seed).nextBytes(pixels);
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, Encoder.png(pixels, height, width));
    }
}
