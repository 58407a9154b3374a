package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CIFAR-10 as JPEG in class folders, where it is at hand: it is not part of the project. */
final class RealCifarJpegTest {
    private static final Path ZIP = Path.of("../../shared/data/cifar10-jpeg.zip");

    /** Unpacking 60,000 files takes longer than the rest of the suite: of each class the first 20 images of each split. */
    private static final int UNPACKED = 20;

    @TempDir
    private Path directory;

    @BeforeEach
    void requireTheArchive() {
        assumeTrue(Files.isRegularFile(ZIP), "there is no " + ZIP + ": the real CIFAR-10 is not tested");
    }

    @Test
    void theZipHas60000ImagesOf32In10Classes() throws IOException {
        try (var cifar = open(ZIP)) {
            assertThat(cifar.classNames())
                    .containsExactly(
                            "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");
            assertThat(cifar.natural()).isEqualTo(new ImageShape(3, 32, 32));
            assertThat(classes(cifar.train())).hasSize(10).containsOnly(5_000);
            assertThat(classes(cifar.test())).hasSize(10).containsOnly(1_000);
        }
    }

    /** Every 20th image is decoded; the means are those published for the originals, to JPEG's and sampling's error. */
    @Test
    void theImagesAreThoseOfCifar() throws IOException {
        try (var cifar = open(ZIP)) {
            ImageSource images = cifar.train().framed(Framing.asIs(32, 32));
            int[] some = new int[images.size() / 20];
            java.util.Arrays.setAll(some, i -> 20 * i);
            Normalization measured = Normalization.of(new Subset(images, some));
            for (int channel = 0; channel < 3; channel++) {
                assertThat(measured.mean()[channel])
                        .isCloseTo(Normalization.CIFAR10.mean()[channel], within(0.01f));
                assertThat(measured.deviation()[channel])
                        .isCloseTo(Normalization.CIFAR10.deviation()[channel], within(0.01f));
            }
        }
    }

    @Test
    void unpackedGivesTheSameImages() throws IOException {
        int unpacked = unpack();
        assertThat(unpacked).isEqualTo(2 * 10 * UNPACKED);
        try (var zip = open(ZIP);
                var folder = open(directory)) {
            assertThat(folder.classNames()).isEqualTo(zip.classNames());
            byte[] expected = new byte[3 * 32 * 32];
            byte[] found = new byte[3 * 32 * 32];
            Framing asIs = Framing.asIs(32, 32);
            for (int i = 0; i < folder.train().size(); i++) {
                int inZip = i / UNPACKED * 5_000 + i % UNPACKED;
                assertThat(folder.train().label(i)).isEqualTo(zip.train().label(inZip));
                zip.train().framed(asIs).read(inZip, expected);
                folder.train().framed(asIs).read(i, found);
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    @Test
    void batchesAreTheSameWithOneTwoAndFiveThreads() throws IOException {
        try (var cifar = open(ZIP)) {
            var splits = cifar.splits(
                    Framing.randomResizedCrop(32, true),
                    Framing.asIs(32, 32),
                    SplitChoice.validation(5_000).withTrainingImages(1_000),
                    new RandomStreams(1));
            assertThat(splits.evaluation().size()).isEqualTo(5_000);
            var options = LoaderOptions.training(
                    64, Pipeline.named("cutout", cifar.natural()).augmentation());
            long one = sum(splits.train(), options.withThreads(1));
            assertThat(sum(splits.train(), options.withThreads(2))).isEqualTo(one);
            assertThat(sum(splits.train(), options.withThreads(5))).isEqualTo(one);
        }
    }

    private Dataset open(Path path) throws IOException {
        return Datasets.named("image-folder").open(path, OpenOptions.DEFAULT.withCache(directory.resolve(".cache")));
    }

    private static long sum(ImageSource images, LoaderOptions options) {
        long sum = 0;
        try (var loader = new Loader(images, options, new RandomStreams(2));
                var epoch = loader.epoch(0)) {
            for (Batch batch : epoch) {
                for (var pixels = batch.pixels(); pixels.hasRemaining(); ) {
                    sum = 31 * sum + pixels.get();
                }
            }
        }
        return sum;
    }

    private int unpack() throws IOException {
        int[] taken = new int[1];
        try (var zip = new ZipFile(ZIP.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                String number = entry.getName().replaceAll(".*/|\\.jpg", "");
                if (!entry.isDirectory() && Integer.parseInt(number) < UNPACKED) {
                    Path file = directory.resolve(entry.getName());
                    Files.createDirectories(file.getParent());
                    try (InputStream contents = zip.getInputStream(entry)) {
                        Files.copy(contents, file);
                    }
                    taken[0]++;
                }
            }
        }
        return taken[0];
    }

    private static int[] classes(ImageSource pictures) {
        int[] classes = new int[pictures.classes()];
        for (int i = 0; i < pictures.size(); i++) {
            classes[pictures.label(i)]++;
        }
        return classes;
    }
}
