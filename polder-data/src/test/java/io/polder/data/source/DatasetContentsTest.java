package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.data.Dataset;
import io.polder.data.Framing;
import io.polder.data.Normalization;
import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.tensor.RandomStreams;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a data set is, whatever it is called, wherever it lies and however it is packed. */
class DatasetContentsTest {
    private static final int SIDE = 8;

    @TempDir
    private Path directory;

    private Path cache;
    private final Map<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void fillFiles() {
        cache = directory.resolve("cache");
        for (String split : List.of("train", "test")) {
            for (String kind : List.of("ant", "cat")) {
                for (int i = 0; i < 2; i++) {
                    files.put(split + "/" + kind + "/" + i + ".bmp", picture(split + kind + i));
                }
            }
        }
    }

    @Test
    void aFolderIsTheSameWhereverItLiesAndHoweverItIsPacked() throws IOException {
        String expected = contents(written("one"));
        assertThat(expected).matches("[0-9a-f]{64}");
        assertThat(contents(written("two"))).isEqualTo(expected);
        assertThat(contents(zipped("zip", ""))).isEqualTo(expected);
        assertThat(contents(zipped("deep", "photos/"))).isEqualTo(expected);
        try (Dataset packed = Datasets.named("image-folder")
                .open(written("one"), OpenOptions.DEFAULT.withCache(cache).withPackedSide(SIDE))) {
            assertThat(packed.contents()).isEqualTo(expected);
        }
    }

    @Test
    void imagesLabelsAndNamesAllCount() throws IOException {
        String expected = contents(written("folder"));
        exchange("train/ant/0.bmp", "train/ant/1.bmp"); // the order of the images decides what is drawn for each
        assertThat(contents(written("images"))).isNotEqualTo(expected);
        exchange("train/ant/0.bmp", "train/ant/1.bmp");
        exchange("test/ant/0.bmp", "test/cat/0.bmp"); // as good as other labels, of images to test with
        assertThat(contents(written("labels"))).isNotEqualTo(expected);
        exchange("test/ant/0.bmp", "test/cat/0.bmp");
        files.put("imagenet_class_index.json", "{\"0\": [\"cat\", \"a\"], \"1\": [\"ant\", \"b\"]}".getBytes());
        assertThat(contents(written("classes"))).isNotEqualTo(expected);
    }

    @Test
    void anImageThatIsExchangedForOneOfTheSameSizeAndTimeIsNoticed() throws IOException {
        Path folder = written("folder");
        Path image = folder.resolve("test/ant/0.bmp");
        FileTime time = Files.getLastModifiedTime(image);
        String expected = contents(folder);
        Files.write(image, picture("another"));
        Files.setLastModifiedTime(image, time);
        assertThat(contents(folder)).isNotEqualTo(expected);
    }

    @Test
    void aFolderIsReadOnceAndADamagedMemoryOfItCountsAsNone() throws IOException {
        Path folder = written("folder");
        String expected = contents(folder);
        List<Path> kept = kept();
        assertThat(kept).hasSize(2); // training and test
        List<FileTime> written = times(kept);
        assertThat(contents(folder)).isEqualTo(expected);
        assertThat(times(kept())).isEqualTo(written);
        for (Path file : kept) {
            byte[] bytes = Files.readAllBytes(file);
            bytes[3] ^= 1;
            Files.write(file, bytes);
        }
        assertThat(contents(folder)).isEqualTo(expected);
    }

    @Test
    void aCacheThatCannotBeWrittenCostsNothingButTime() throws IOException {
        Files.writeString(cache, "in the way");
        assertThat(contents(written("folder"))).isEqualTo(contents(zipped("zip", "")));
    }

    @Test
    void imagesInOneFileAreTheSamePlainAndPackedAndKnownByEachByte() throws IOException {
        String plain = contents("mnist", idx("plain", false, 0));
        assertThat(contents("mnist", idx("packed", true, 0))).isEqualTo(plain);
        assertThat(contents("mnist", idx("pixel", false, 16))).isNotEqualTo(plain);
        String name = "t10k-labels-idx1-ubyte";
        Path labels = idx("label", false, 0).resolve(name);
        byte[] bytes = Files.readAllBytes(labels);
        bytes[8] ^= 1;
        Files.write(labels, bytes);
        assertThat(contents("mnist", labels.getParent())).isNotEqualTo(plain);
    }

    @Test
    void anySetOfIdxFilesHasAsManyClassesAsLabels() throws IOException {
        Path files = idx("idx", false, 0);
        try (var images = Datasets.named("idx").open(files, OpenOptions.DEFAULT)) {
            assertThat(images.classNames()).containsExactly("0", "1", "2", "3", "4");
            Framing asIs = Framing.asIs(2, 2);
            assertThat(images.splits(asIs, asIs, SplitChoice.test(), new RandomStreams(1))
                            .normalization())
                    .isEqualTo(Normalization.of(images.train()));
        }
        Path labels = files.resolve("t10k-labels-idx1-ubyte");
        byte[] bytes = Files.readAllBytes(labels);
        bytes[8] = 100;
        Files.write(labels, bytes);
        assertThatThrownBy(() -> Datasets.named("idx").open(files, OpenOptions.DEFAULT))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(files + " has training images of ")
                .hasMessageEndingWith(" and 101 classes: they must agree");
    }

    private void exchange(String one, String other) {
        byte[] first = files.put(one, files.get(other));
        files.put(other, first);
    }

    private String contents(Path place) throws IOException {
        return contents("image-folder", place);
    }

    private String contents(String name, Path place) throws IOException {
        try (Dataset dataset = Datasets.named(name).open(Optional.of(place), OpenOptions.DEFAULT.withCache(cache))) {
            return dataset.contents();
        }
    }

    private List<Path> kept() throws IOException {
        try (Stream<Path> found = Files.list(cache.resolve("contents"))) {
            return found.sorted().toList();
        }
    }

    private static List<FileTime> times(List<Path> files) throws IOException {
        List<FileTime> times = new ArrayList<>();
        for (Path file : files) {
            times.add(Files.getLastModifiedTime(file));
        }
        return times;
    }

    private Path written(String name) throws IOException {
        Path root = directory.resolve(name);
        for (var file : files.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        return root;
    }

    private Path zipped(String name, String prefix) throws IOException {
        var zip = new ZipWriter();
        files.forEach((file, bytes) -> zip.file(prefix + file, bytes));
        return Files.write(directory.resolve(name + ".zip"), zip.zip());
    }

    /** Not compressed: all of the same length. */
    private static byte[] picture(String of) {
        var random = new Random(of.hashCode());
        var picture = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < SIDE * SIDE; i++) {
            picture.setRGB(i % SIDE, i / SIDE, random.nextInt());
        }
        var file = new ByteArrayOutputStream();
        try {
            ImageIO.write(picture, "bmp", file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file.toByteArray();
    }

    /** Two training and two test images of 2 x 2. */
    private Path idx(String name, boolean packed, int flipped) throws IOException {
        Path folder = Files.createDirectory(directory.resolve(name));
        for (String split : List.of("train", "t10k")) {
            byte[] images = new byte[16 + 2 * 4];
            ByteBuffer.wrap(images).putInt(0x803).putInt(2).putInt(2).putInt(2);
            if (flipped > 0) {
                images[flipped] ^= 1;
            }
            byte[] labels = {0, 0, 8, 1, 0, 0, 0, 2, 3, 4};
            write(folder.resolve(split + "-images-idx3-ubyte"), images, packed);
            write(folder.resolve(split + "-labels-idx1-ubyte"), labels, packed);
        }
        return folder;
    }

    private static void write(Path file, byte[] bytes, boolean packed) throws IOException {
        if (!packed) {
            Files.write(file, bytes);
            return;
        }
        try (var stream = new GZIPOutputStream(Files.newOutputStream(Path.of(file + ".gz")))) {
            stream.write(bytes);
        }
    }
}
