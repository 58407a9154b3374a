package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.polder.data.BadImagePolicy;
import io.polder.data.Framing;
import io.polder.data.ImageSource;
import io.polder.data.OpenOptions;
import io.polder.image.Encoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a damaged or hostile archive may lead to: the same images or a sentence, never other images. */
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
final class ZipTreeTest {
    private static final int SIDE = 4;

    @TempDir
    private Path directory;

    /** Name to contents; among them what an image folder passes over. */
    private final TreeMap<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void fillFiles() {
        files.put("train/ant/n1.png", image(1));
        files.put("train/ant/n2.png", image(2));
        files.put("train/bee/n3.png", image(3));
        files.put("train/bee/notes.txt", "notes".getBytes(StandardCharsets.UTF_8));
        files.put("test/ant/n4.png", image(4));
        files.put("test/ant/n6.png", image(6));
        files.put("test/bee/n5.png", image(5));
    }

    @Test
    void noFlippedBitOfListOrHeadersChangesTheImages() throws IOException {
        requireThatNoFlipChangesTheImages(written(new ZipWriter()).zip());
    }

    @Test
    void noFlippedBitOfAZip64ChangesTheImages() throws IOException {
        requireThatNoFlipChangesTheImages(written(new ZipWriter().wide()).zip());
    }

    /** Sizes after the contents, times and a comment. */
    @Test
    void noFlippedBitOfWhatJavaWroteChangesTheImages() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            zip.setComment("made by Java");
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
            }
        }
        requireThatNoFlipChangesTheImages(bytes.toByteArray());
    }

    /** Every bit of the list, of the end and of each file's own header, one at a time. */
    private void requireThatNoFlipChangesTheImages(byte[] zip) throws IOException {
        Path path = directory.resolve("flipped.zip");
        Files.write(path, zip);
        List<String> expected = contents(path);
        assertThat(expected).hasSize(2 + 6);
        int same = 0;
        int refused = 0;
        for (int at : headers(zip)) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = zip.clone();
                flipped[at] ^= (byte) (1 << bit);
                Files.write(path, flipped);
                try {
                    assertThat(contents(path)).as("bit %d of byte %d", bit, at).isEqualTo(expected);
                    same++;
                } catch (IOException e) {
                    assertThat(e).hasMessageStartingWith(path.toString());
                    refused++;
                }
            }
        }
        // Times and versions do not matter; names, places, counts and checksums do.
        assertThat(same).isPositive();
        assertThat(refused).isGreaterThan(same / 2);
    }

    @Test
    void aListThatIsLongerThanItsCountIsRefused() throws IOException {
        byte[] zip = written(new ZipWriter()).zip();
        zip[zip.length - 14]--;
        zip[zip.length - 12]--;
        assertThatOpening(zip).endsWith("has a damaged list of contents: fetch it again");
    }

    @Test
    void aFileThatIsPassedOverIsCheckedToBeTheOneListed() throws IOException {
        byte[] zip = written(new ZipWriter()).zip();
        String listed = new String(zip, StandardCharsets.ISO_8859_1);
        zip[listed.lastIndexOf("n4.png") + 5]--; // n4.pnf, in the list alone
        assertThatOpening(zip)
                .endsWith(": test/ant/n4.pnf has another name where it lies: the archive is damaged, fetch it again");
    }

    @Test
    void filesThatLieOverEachOtherAreRefusedWhateverTheirSize() throws IOException {
        byte[] empty = {};
        var zip = new ZipWriter().stored("train/ant/a.txt", empty);
        zip.again("train/ant/b.txt", empty);
        assertThatOpening(written(zip).zip())
                .endsWith("has files that lie over each other: do not trust it, give another archive");
    }

    @Test
    void namesNobodyCouldUnpackAreRefusedAtOnce() throws IOException {
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var deep = written(new ZipWriter());
        for (int i = 0; i < 16; i++) {
            deep.stored("a/".repeat(32_000) + i, new byte[1]);
        }
        byte[] zip = deep.zip();
        long before = memory.getCurrentThreadAllocatedBytes();
        assertThatOpening(zip).endsWith("has a name of 64001 bytes: give an archive whose names have at most 4096");
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
        assertThatOpening(written(new ZipWriter())
                        .stored("a/".repeat(40) + "b", new byte[1])
                        .zip())
                .endsWith("has a file 40 directories deep: give an archive with at most 32");
    }

    @Test
    void directoriesAreThoseOfTheirFilesAndThoseListedThemselves() throws IOException {
        files.put("train.png", image(6));
        files.put("train-1/x/y.png", image(6));
        files.put("train/bee/deeper/z.png", image(6));
        Path path = Files.write(
                directory.resolve("tree.zip"),
                written(new ZipWriter().directory("train/cow").directory("train/ant"))
                        .zip());
        try (var tree = new ZipTree(path)) {
            assertThat(tree.directories("")).containsExactly("test", "train", "train-1");
            assertThat(tree.directories("train")).containsExactly("ant", "bee", "cow");
            assertThat(tree.directories("train/bee")).containsExactly("deeper");
            assertThat(tree.directories("train/cow")).isEmpty();
            assertThat(tree.directories("trai")).isEmpty();
            assertThat(tree.files("train/bee"))
                    .containsExactly("train/bee/deeper/z.png", "train/bee/n3.png", "train/bee/notes.txt");
            assertThat(tree.files("train/cow")).isEmpty();
            assertThat(tree.isFile("train/cow")).isFalse();
            assertThat(tree.isFile("train/cow/")).isFalse();
            assertThat(tree.isFile("train.png")).isTrue();
        }
    }

    private org.assertj.core.api.AbstractStringAssert<?> assertThatOpening(byte[] zip) throws IOException {
        Path path = Files.write(directory.resolve("hostile.zip"), zip);
        var thrown = assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Datasets.named("image-folder")
                        .open(path, OpenOptions.DEFAULT)
                        .close())
                .actual();
        return assertThat(thrown.getMessage()).startsWith(path.toString());
    }

    /** The names of the classes, then every image with its label. */
    private static List<String> contents(Path path) throws IOException {
        List<String> contents = new ArrayList<>();
        try (var folder =
                Datasets.named("image-folder").open(path, OpenOptions.DEFAULT.withOnBadImage(BadImagePolicy.SKIP))) {
            contents.addAll(folder.classNames());
            for (ImageSource pictures : List.of(folder.train(), folder.test())) {
                for (int i = 0; i < pictures.size(); i++) {
                    byte[] image = new byte[3 * SIDE * SIDE];
                    pictures.read(i, Framing.asIs(SIDE, SIDE), image, new SplittableRandom(0));
                    contents.add(pictures.label(i) + " " + Arrays.hashCode(image));
                }
            }
            assertThat(folder.badImages()).isEmpty();
        }
        return contents;
    }

    /** The places of all bytes that are not contents. */
    private static List<Integer> headers(byte[] zip) {
        ByteBuffer bytes = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> places = new ArrayList<>();
        int list = zip.length;
        for (int at = 0; at + 30 < zip.length; at++) {
            if (bytes.getInt(at) == 0x04034b50) {
                int length = 30 + bytes.getShort(at + 26) + bytes.getShort(at + 28);
                for (int i = 0; i < length; i++) {
                    places.add(at + i);
                }
            } else if (bytes.getInt(at) == 0x02014b50) {
                list = Math.min(list, at);
            }
        }
        for (int at = list; at < zip.length; at++) {
            places.add(at);
        }
        return places;
    }

    private ZipWriter written(ZipWriter zip) {
        files.forEach((name, contents) -> {
            if (name.contains("n2")) {
                zip.stored(name, contents);
            } else {
                zip.file(name, contents);
            }
        });
        return zip;
    }

    private static byte[] image(int seed) {
        byte[] pixels = new byte[3 * SIDE * SIDE];
        new SplittableRandom(seed).nextBytes(pixels);
        return Encoder.png(pixels, SIDE, SIDE);
    }
}
