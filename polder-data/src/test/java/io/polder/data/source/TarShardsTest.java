package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.polder.data.Dataset;
import io.polder.data.OpenOptions;
import io.polder.image.Encoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tar files with images and their labels, as WebDataset has them; images as those of {@link ParquetImagesTest}. */
class TarShardsTest {
    @TempDir
    private Path directory;

    private Path set;

    @BeforeEach
    void write() throws IOException {
        set = Files.createDirectory(directory.resolve("set"));
        shard("birds-train-000000.tar", 0, 5, ".cls");
        shard("birds-train-000001.tar", 5, 8, ".json");
        shard("birds-val-000000.tar", 8, 10, ".cls");
    }

    @Test
    void everyImageHasItsPixelsAndItsLabelWhateverTheOrder() throws IOException {
        try (Dataset dataset = open()) {
            assertThat(dataset.classNames()).containsExactly("0", "1", "2");
            assertThat(dataset.train().size()).isEqualTo(8);
            assertThat(dataset.test().size()).isEqualTo(2);
            for (int i : new int[] {7, 0, 5, 4, 3, 6, 2, 1}) {
                assertThat(ParquetImagesTest.colour(dataset.train(), i)).isEqualTo(10 * i);
                assertThat(dataset.train().label(i)).isEqualTo(i % 3);
            }
            assertThat(dataset.train().name(6)).isEqualTo(set + "/birds-train-000001.tar: a/000006.png");
        }
    }

    @Test
    void linesOfClassesTxtAreTheNames() throws IOException {
        Files.writeString(set.resolve("classes.txt"), "wren\nowl\n\nblack swan\n");
        try (Dataset dataset = open()) {
            assertThat(dataset.classNames()).containsExactly("wren", "owl", "black swan");
        }
        Files.writeString(set.resolve("classes.txt"), "wren\n");
        refuses("classes.txt has 1 names, and there is an image of class 2: it must have a line for each class");
    }

    /** Python writes such notes for a name that is long or not of ASCII, and for fractions of a second. */
    @Test
    void namesMayStandInNotes() throws IOException {
        String name = "ä".repeat(80) + ".png";
        Files.write(
                set.resolve("birds-val-000000.tar"),
                new TarWriter()
                        .entry("note", 'x', note("mtime=1.5", "path=" + name).length, note("mtime=1.5", "path=" + name))
                        .file("cut", picture(4))
                        .file("ä".repeat(20) + ".cls", bytes("1"))
                        .entry(
                                "note",
                                'x',
                                note("path=" + name.replace(".png", ".cls")).length,
                                note("path=" + name.replace(".png", ".cls")))
                        .file("cut", bytes("2\n"))
                        .tar());
        try (Dataset dataset = open()) {
            assertThat(dataset.test().name(0)).endsWith(": " + name);
            assertThat(dataset.test().label(0)).isEqualTo(2);
            assertThat(ParquetImagesTest.colour(dataset.test(), 0)).isEqualTo(40);
        }
    }

    /** What is kept is believed only as long as the file is the same, and a damaged one not at all. */
    @Test
    void whereImagesLieIsKeptAndFoundOutAgain() throws IOException {
        open().close();
        List<Path> kept;
        try (var files = Files.list(directory.resolve("cache/shards"))) {
            kept = files.toList();
        }
        assertThat(kept).hasSize(3);
        for (Path file : kept) {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
        }
        try (Dataset dataset = open()) {
            assertThat(ParquetImagesTest.colour(dataset.train(), 3)).isEqualTo(30);
        }
        Files.delete(set.resolve("birds-train-000000.tar"));
        shard("birds-train-000000.tar", 20, 21, ".cls");
        try (Dataset dataset = open()) {
            assertThat(dataset.train().size()).isEqualTo(4);
            assertThat(ParquetImagesTest.colour(dataset.train(), 0)).isEqualTo(200);
        }
    }

    @Test
    void aFileThatIsExchangedUnderARunIsFoundOut() throws IOException {
        try (Dataset dataset = open()) {
            Files.write(set.resolve("birds-train-000000.tar"), new byte[100_000]);
            assertThatIOException()
                    .isThrownBy(() -> dataset.train().read(0, new byte[36]))
                    .withMessageEndingWith("is no longer where it was: start again, and leave the files alone");
        }
    }

    @Test
    void whatTheImagesAreDependsOnNothingElse() throws IOException {
        String contents;
        try (Dataset dataset = open()) {
            contents = dataset.contents();
        }
        Path moved = Files.move(set, directory.resolve("moved"));
        try (Dataset dataset = Datasets.named("webdataset").open(moved, OpenOptions.DEFAULT.withCache(directory))) {
            assertThat(dataset.contents()).isEqualTo(contents);
        }
    }

    @Test
    void whatIsWrongIsASentence() throws IOException {
        Path train = set.resolve("birds-train-000000.tar");
        byte[] good = Files.readAllBytes(train);
        Files.write(train, Arrays.copyOf(good, 2000));
        refuses(train + " is cut short");
        Files.write(train, new TarWriter().file("1.png", picture(1)).tar());
        refuses(train + " has 1.png without a label: put 1.cls with the number of its class there");
        Files.write(
                train,
                new TarWriter()
                        .file("1.png", picture(1))
                        .file("1.cls", bytes("owl"))
                        .tar());
        refuses(train + " has 1.cls, which has no class in it: it must be a number from 0 to 65535");
        Files.write(
                train,
                new TarWriter()
                        .file("1.png", picture(1))
                        .file("1.cls", bytes("1"))
                        .file("1.json", bytes("{\"label\": 2}"))
                        .tar());
        refuses(train + " has 1.png without one label");
        Files.write(
                train,
                new TarWriter()
                        .file("1.png", picture(1))
                        .file("1.jpg", picture(1))
                        .tar());
        refuses(train + " has two images 1: give each a key of its own");
        Files.write(train, new TarWriter().file("../1.png", picture(1)).tar());
        refuses(train + " has a file that would be unpacked elsewhere, ../1.png");
        Files.write(train, new TarWriter().entry("1.png", '2', 0, new byte[0]).tar());
        refuses(train + " has a link, 1.png");
        Files.write(
                train,
                new TarWriter().entry("1.png", '0', 1L << 32, new byte[512]).tar());
        refuses(train + " promises 4294967296 bytes of 1.png, too many");
    }

    private void refuses(String sentence) {
        assertThatIOException().isThrownBy(this::open).withMessageContaining(sentence);
    }

    private Dataset open() throws IOException {
        return Datasets.named("webdataset").open(set, OpenOptions.DEFAULT.withCache(directory.resolve("cache")));
    }

    private void shard(String name, int from, int to, String ending) throws IOException {
        var tar = new TarWriter();
        for (int i : IntStream.range(from, to).toArray()) {
            String key = "a/%06d".formatted(i);
            String label = ending.equals(".cls") ? i % 3 + "" : "{\"label\": " + i % 3 + ", \"text\": \"a bird\"}";
            tar.file(key + ending, bytes(label)).file(key + ".png", picture(i)).file(key + ".txt", bytes("a bird"));
        }
        Files.write(set.resolve(name), tar.tar());
    }

    private static byte[] note(String... lines) {
        var note = new StringBuilder();
        for (String line : lines) {
            int length = bytes(line).length + 2; // a blank and the line feed
            int digits = Integer.toString(length).length();
            digits = Integer.toString(length + digits).length();
            note.append(length + digits).append(' ').append(line).append('\n');
        }
        return bytes(note.toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] picture(int i) {
        byte[] pixels = new byte[3 * 4 * 3];
        for (int at = 0; at < pixels.length; at += 3) {
            pixels[at] = (byte) (10 * i);
            pixels[at + 1] = (byte) (255 - 10 * i);
            pixels[at + 2] = 7;
        }
        return Encoder.png(pixels, 3, 4);
    }
}
