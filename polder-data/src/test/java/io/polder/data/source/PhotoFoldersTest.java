package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.polder.data.Dataset;
import io.polder.data.ImageSource;
import io.polder.data.OpenOptions;
import io.polder.image.Encoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody's own pictures, which nobody has divided. */
class PhotoFoldersTest {
    @TempDir
    private Path directory;

    private Path photos;

    @BeforeEach
    void takePhotos() throws IOException {
        photos = directory.resolve("photos");
        put("cats", 20);
        put("dogs", 60);
    }

    @Test
    void everyPictureIsInOnePartAndEachClassHasItsShare() throws IOException {
        try (Dataset dataset = open(photos, 0.15, 0)) {
            assertThat(dataset.classNames()).containsExactly("cats", "dogs");
            assertThat(count(dataset.test(), 0)).isEqualTo(3);
            assertThat(count(dataset.test(), 1)).isEqualTo(9);
            Set<String> all = new TreeSet<>(names(dataset.train()));
            assertThat(all).doesNotContainAnyElementsOf(names(dataset.test()));
            all.addAll(names(dataset.test()));
            assertThat(all).hasSize(80).contains(photos + "/cats/7.png");
        }
    }

    @Test
    void theSameSeedHoldsBackTheSamePicturesWhereverTheyLieAndAnotherOthers() throws IOException {
        Set<String> heldBack = heldBack(photos, 0);
        assertThat(heldBack(zipped(""), 0)).isEqualTo(heldBack);
        assertThat(heldBack(zipped("my photos/"), 0)).isEqualTo(heldBack);
        assertThat(heldBack(photos, 1)).isNotEqualTo(heldBack);
    }

    /** Else a network that was trained before would be tested by pictures that it has learnt. */
    @Test
    void picturesThatAreAddedMoveFewOfTheOthers() throws IOException {
        Set<String> before = heldBack(photos, 0);
        for (int i = 100; i < 110; i++) {
            Files.write(photos.resolve("dogs/" + i + ".png"), picture());
        }
        Set<String> after = heldBack(photos, 0);
        before.removeAll(after);
        assertThat(before).hasSizeLessThan(4);
    }

    @Test
    void foldersThatAreDividedAlreadyAreTakenAsTheyAre() throws IOException {
        Path divided = Files.createDirectory(directory.resolve("divided"));
        for (String split : new String[] {"train", "val"}) {
            for (String name : new String[] {"cats", "dogs"}) {
                Path folder = Files.createDirectories(divided.resolve(split).resolve(name));
                Files.write(folder.resolve("1.png"), picture());
            }
        }
        try (Dataset dataset = open(divided, 0.5, 0)) {
            assertThat(names(dataset.train()))
                    .containsExactlyInAnyOrder(divided + "/train/cats/1.png", divided + "/train/dogs/1.png");
            assertThat(names(dataset.test()))
                    .containsExactlyInAnyOrder(divided + "/val/cats/1.png", divided + "/val/dogs/1.png");
        }
    }

    @Test
    void picturesOfTrainsMayLieInTrain() throws IOException {
        put("train", 10);
        put("test", 10);
        try (Dataset dataset = open(photos, 0.15, 0)) {
            assertThat(dataset.classNames()).containsExactly("cats", "dogs", "test", "train");
        }
    }

    @Test
    void whatCannotBeDividedIsASentence() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        refuses(
                empty,
                empty
                        + " has no folders: make a folder for each class in it, at least two, such as cats and dogs, and put the pictures there");
        Files.createDirectory(empty.resolve("cats"));
        refuses(empty, empty + " has the one folder cats: make a folder for each class in it, at least two, such as");
        Files.createDirectory(empty.resolve("dogs"));
        refuses(empty, empty + "/cats has no images (bmp, jpeg, jpg, png, webp): put some there or remove it");
        for (int i = 0; i < 2; i++) {
            Files.write(empty.resolve("cats/" + i + ".png"), picture());
        }
        refuses(empty, empty + "/cats has 2 pictures: put at least 3 there, as some are held back to judge by");
        refuses(
                directory.resolve("nowhere"),
                directory.resolve("nowhere")
                        + " is not a directory or file that can be read: give a directory with a folder of pictures for each class, or a zip of one");
    }

    private void refuses(Path path, String sentence) {
        assertThatIOException().isThrownBy(() -> open(path, 0.15, 0)).withMessageStartingWith(sentence);
    }

    private Dataset open(Path path, double share, long seed) throws IOException {
        return Datasets.photos(share, seed).open(path, OpenOptions.DEFAULT.withCache(directory.resolve("cache")));
    }

    private Set<String> heldBack(Path path, long seed) throws IOException {
        try (Dataset dataset = open(path, 0.25, seed)) {
            return new TreeSet<>(names(dataset.test()).stream()
                    .map(name -> name.replaceFirst(".*(?=(cats|dogs)/)", ""))
                    .toList());
        }
    }

    private static Set<String> names(ImageSource images) {
        return new TreeSet<>(
                IntStream.range(0, images.size()).mapToObj(images::name).toList());
    }

    private static long count(ImageSource images, int label) {
        return IntStream.range(0, images.size())
                .filter(i -> images.label(i) == label)
                .count();
    }

    private void put(String name, int number) throws IOException {
        Path folder = Files.createDirectories(photos.resolve(name));
        for (int i = 0; i < number; i++) {
            Files.write(folder.resolve(i + ".png"), picture());
        }
    }

    private static byte[] picture() {
        return Encoder.png(new byte[3 * 4 * 4], 4, 4);
    }

    private Path zipped(String prefix) throws IOException {
        Path zip = Files.createTempFile(directory, "photos", ".zip");
        try (var archive = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(photos)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                archive.putNextEntry(new ZipEntry(prefix + photos.relativize(file)));
                archive.write(Files.readAllBytes(file));
            }
        }
        return zip;
    }
}
