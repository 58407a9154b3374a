package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.polder.data.BadImagePolicy;
import io.polder.data.Batch;
import io.polder.data.Dataset;
import io.polder.data.Framing;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.data.augment.Augmentation;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.augment.PadCropFlip.Padding;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Pipeline;
import io.polder.image.Encoder;
import io.polder.image.PngWriter;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 600, threadMode = SEPARATE_THREAD)
final class ImageFolderTest {
    private static final int SIDE = 20;
    private static final RandomStreams STREAMS = new RandomStreams(3);
    private static final Framing AS_IS = Framing.asIs(SIDE, SIDE);
    private static final byte[] NO_IMAGE = "no image".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path directory;

    /** Name to contents: two classes of three and two images, one test image each. */
    private final TreeMap<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void fillFiles() {
        files.put("train/cat/b.png", image(2));
        files.put("train/cat/a.png", image(1));
        files.put("train/cat/deeper/c.PNG", image(3));
        files.put("train/ant/z.jpg", jpeg(9));
        files.put("train/ant/y.png", image(8));
        files.put("train/ant/notes.txt", NO_IMAGE);
        files.put("train/ant/._y.png", NO_IMAGE);
        files.put("test/ant/1.png", image(11));
        files.put("test/cat/1.png", image(12));
    }

    @Test
    void classesAndFilesAreInTheOrderOfTheirNames() throws IOException {
        try (var folder = opened(written(), BadImagePolicy.FAIL)) {
            assertThat(folder.classNames()).containsExactly("ant", "cat");
            assertThat(labels(folder.train())).containsExactly(0, 0, 1, 1, 1);
            assertThat(labels(folder.test())).containsExactly(0, 1);
            assertThat(folder.natural()).isEqualTo(new ImageShape(3, SIDE, SIDE));
            assertThat(read(folder.train(), 0)).isEqualTo(pixels(8));
            assertThat(read(folder.train(), 2)).isEqualTo(pixels(1));
            assertThat(read(folder.train(), 3)).isEqualTo(pixels(2));
            assertThat(read(folder.train(), 4)).isEqualTo(pixels(3));
            assertThat(read(folder.test(), 1)).isEqualTo(pixels(12));
        }
    }

    @Test
    void aZipGivesTheSameAsTheDirectory() throws IOException {
        List<List<Byte>> expected;
        try (var folder = opened(written(), BadImagePolicy.FAIL)) {
            expected = all(folder.train());
        }
        for (Path zip : List.of(zipped(""), zipped("data/"), javaZip())) {
            try (var folder = opened(zip, BadImagePolicy.FAIL)) {
                assertThat(folder.classNames()).containsExactly("ant", "cat");
                assertThat(all(folder.train())).isEqualTo(expected);
            }
        }
    }

    @Test
    void oneDirectoryAtTheTopIsLookedInto() throws IOException {
        Path inner = written();
        Path outer = Files.createDirectory(directory.resolve("outer"));
        Files.move(inner, outer.resolve("inner"));
        try (var folder = opened(outer, BadImagePolicy.FAIL)) {
            assertThat(folder.train().size()).isEqualTo(5);
        }
    }

    @Test
    void valServesWhereTestHasNoClasses() throws IOException {
        files.put("val/ant/1.png", image(21));
        files.put("test/00001.png", image(22));
        files.remove("test/ant/1.png");
        files.remove("test/cat/1.png");
        try (var folder = opened(written(), BadImagePolicy.FAIL)) {
            assertThat(read(folder.test(), 0)).isEqualTo(pixels(21));
        }
    }

    @Test
    void theClassIndexSaysOrderAndNames() throws IOException {
        files.put("imagenet_class_index.json", """
                {"1": ["ant", "an ant"], "0": ["cat", "a cat"], "2": ["bee", "a bee"]}
                """.getBytes(StandardCharsets.UTF_8));
        for (Path path : List.of(written(), zipped("imagenet/"))) {
            try (var folder = opened(path, BadImagePolicy.FAIL)) {
                assertThat(folder.classNames()).containsExactly("a cat", "an ant", "a bee");
                assertThat(labels(folder.train())).containsExactly(1, 1, 0, 0, 0);
                assertThat(folder.train().classes()).isEqualTo(3);
            }
        }
    }

    @Test
    void aClassIndexThatIsNoneIsToldInASentence() throws IOException {
        for (String text : List.of(
                "",
                "[]",
                "{\"0\": [\"cat\", \"a cat\"]",
                "{\"0\": [\"cat\", \"a cat\"], \"2\": [\"ant\", \"x\"]}",
                "{\"0\": [\"cat\", \"a cat\"], \"0\": [\"ant\", \"x\"]}",
                "{\"0\": [\"cat\", \"a cat\"], \"1\": [\"cat\", \"x\"]}",
                "{\"99999999999\": [\"cat\", \"a cat\"]}",
                "{\"0\": \"cat\"}",
                "{\"0\": [[[[[[[[\"cat\"]]]]]]]]}")) {
            files.put("imagenet_class_index.json", text.getBytes(StandardCharsets.UTF_8));
            Path zip = zipped("");
            assertThatOpening(zip).as(text).contains("imagenet_class_index.json is no class index");
        }
    }

    @Test
    void whatIsMissingIsToldInASentence() throws IOException {
        Path nothing = directory.resolve("nothing");
        assertThatOpening(nothing).startsWith(nothing + " is not a directory or file that can be read");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThatOpening(empty).startsWith(empty + " has no directory train");
        files.keySet().removeIf(name -> name.startsWith("test"));
        assertThatOpening(zipped("")).contains("has no test or val with class folders");
    }

    @Test
    void anEmptyClassFolderIsAFault() throws IOException {
        Path written = written();
        Files.createDirectory(written.resolve("train/bee"));
        assertThatOpening(written)
                .isEqualTo(written.resolve("train/bee")
                        + " has no images (bmp, jpeg, jpg, png, webp): put some there or remove it");
        byte[] zip = zip("").directory("train/bee").zip();
        assertThatOpening(Files.write(directory.resolve("bee.zip"), zip)).contains("train/bee has no images");
    }

    @Test
    void anImageTooDeepToBeLookedForIsAFaultAndNotPassedOver() throws IOException {
        files.put("train/cat/" + "a/".repeat(30) + "d.png", image(4));
        try (var folder = opened(written(), BadImagePolicy.FAIL)) {
            assertThat(folder.train().size()).isEqualTo(6);
        }
        files.put("train/cat/" + "a/".repeat(31) + "d.png", image(4));
        assertThatOpening(written()).endsWith("d.png is more than 32 directories deep: move it up or remove it");
    }

    @Test
    void aTestClassThatIsNotTrainedOnIsAFault() throws IOException {
        files.put("test/bee/1.png", image(1));
        assertThatOpening(zipped("")).endsWith("test/bee is no class: train has no folder of that name");
    }

    @Test
    void aBrokenImageIsAnErrorThatNamesItsFile() throws IOException {
        files.put("train/cat/b.png", NO_IMAGE);
        Path path = written();
        try (var folder = opened(path, BadImagePolicy.FAIL)) {
            assertThatIOExceptionOf(() -> read(folder.train(), 3))
                    .isEqualTo(path.resolve("train/cat/b.png")
                            + " is no image that can be read: JPEG, PNG, WebP and BMP can; mend or remove it,"
                            + " or say data.onBadImage: skip");
        }
        files.put(
                "train/cat/b.png",
                new PngWriter(60_000, 60_000, 8, 2).data(new byte[9]).file());
        try (var folder = opened(zipped(""), BadImagePolicy.FAIL)) {
            assertThatIOExceptionOf(() -> read(folder.train(), 3))
                    .contains(": train/cat/b.png is 60000 x 60000 pixels, more than the 67108864 that are read");
        }
        byte[] whole = jpeg(5);
        files.put("train/cat/b.png", Arrays.copyOf(whole, whole.length * 3 / 4));
        try (var folder = opened(zipped(""), BadImagePolicy.FAIL)) {
            assertThatIOExceptionOf(() -> read(folder.train(), 3)).contains(": train/cat/b.png is ");
        }
    }

    @Test
    void aSkippedImageIsReplacedByTheNextOfItsClassAndCountedOnce() throws IOException {
        files.put("train/cat/b.png", NO_IMAGE);
        files.put("train/cat/deeper/c.PNG", Arrays.copyOf(image(3), 60));
        try (var folder = opened(written(), BadImagePolicy.SKIP)) {
            assertThat(folder.badImages()).isEmpty();
            for (int i = 0; i < 2; i++) {
                assertThat(read(folder.train(), 3)).as("round the end").isEqualTo(pixels(1));
                assertThat(read(folder.train(), 2)).isEqualTo(pixels(1));
            }
            assertThat(folder.badImages()).containsExactly("train/cat/b.png", "train/cat/deeper/c.PNG");
        }
    }

    @Test
    void aClassWithoutAnyReadableImageIsAnErrorAlsoWhenSkipping() throws IOException {
        files.put("test/cat/1.png", NO_IMAGE);
        try (var folder = opened(zipped(""), BadImagePolicy.SKIP)) {
            assertThatIOExceptionOf(() -> read(folder.test(), 1))
                    .endsWith(": test has no image of class cat that can be read: put some there");
        }
    }

    @Test
    void anImageOfAnotherSizeIsAnErrorAlsoWhenSkipping() throws IOException {
        files.put("train/cat/b.png", Encoder.png(new byte[3 * 12 * SIDE], 12, SIDE));
        try (var folder = opened(zipped(""), BadImagePolicy.SKIP)) {
            assertThatIOExceptionOf(() -> read(folder.train(), 3))
                    .endsWith(": train/cat/b.png is 12 x 20 pixels where 20 x 20 are wanted: "
                            + "say what side all images are to be resized to, as -s model.image=64 does for a recipe");
        }
    }

    @Test
    void imagesOfTheFirstOnesSizeNeedNoFraming() throws IOException {
        files.put("train/cat/b.png", Encoder.png(new byte[3 * 12 * SIDE], 12, SIDE));
        try (var folder = opened(zipped(""), BadImagePolicy.FAIL)) {
            byte[] image = new byte[folder.train().shape().bytes()];
            folder.train().read(2, image);
            assertThat(image).isEqualTo(pixels(1));
            assertThatIOExceptionOf(() -> folder.train().read(3, image)).contains("is 12 x 20 pixels where 20 x 20");
        }
    }

    /** A fault of an image is an IOException of the read, so nothing else reads one. */
    @Test
    void framingReadsNoImage() throws IOException {
        files.put("test/ant/1.png", NO_IMAGE);
        try (var folder = opened(zipped(""), BadImagePolicy.FAIL)) {
            ImageSource framed = folder.test().framed(AS_IS);
            assertThat(framed.shape()).isEqualTo(new ImageShape(3, SIDE, SIDE));
            assertThatIOExceptionOf(() -> framed.read(0, new byte[3 * SIDE * SIDE]))
                    .contains("test/ant/1.png is no image");
        }
    }

    @Test
    void aWorkersErrorReachesTheLoopWithTheFilesName() throws IOException {
        files.put("train/cat/b.png", NO_IMAGE);
        try (var folder = opened(zipped(""), BadImagePolicy.FAIL);
                var loader = new Loader(folder.train().framed(AS_IS), LoaderOptions.evaluation(1), STREAMS);
                var epoch = loader.epoch(0)) {
            var batches = epoch.iterator();
            for (int i = 0; i < 3; i++) {
                batches.next();
            }
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(batches::next)
                    .withMessageContaining("train/cat/b.png is no image");
        }
    }

    /** Random crops, flips and paddings of images of many sizes, with a broken one among them. */
    @Test
    void batchesDependOnNeitherTheThreadsNorWhereTheEpochStarts() throws IOException {
        for (int i = 0; i < 60; i++) {
            int height = 8 + i;
            int width = 70 - i;
            byte[] picture = new byte[3 * height * width];
            new SplittableRandom(i).nextBytes(picture);
            byte[] file = i % 2 == 0 ? Encoder.jpeg(picture, height, width, 80) : Encoder.png(picture, height, width);
            files.put("train/ant/%02d.jpg".formatted(i), i == 7 ? NO_IMAGE : file);
        }
        Augmentation augmentation = new PadCropFlip(2, Padding.REFLECT, true);
        try (var folder = opened(zipped(""), BadImagePolicy.SKIP)) {
            ImageSource images = folder.train().framed(Framing.randomResizedCrop(16, true));
            var options = LoaderOptions.training(7, augmentation);
            List<List<Byte>> whole = epoch(images, options.withThreads(1), 4, 0);
            assertThat(epoch(images, options.withThreads(2), 4, 0)).isEqualTo(whole);
            assertThat(epoch(images, options.withThreads(5), 4, 0)).isEqualTo(whole);
            assertThat(epoch(images, options.withThreads(5), 5, 0)).isNotEqualTo(whole);
            for (int first : new int[] {1, 4, whole.size()}) {
                assertThat(epoch(images, options, 4, first)).isEqualTo(whole.subList(first, whole.size()));
            }
        }
    }

    @Test
    void pipelinesOfADataSetServeAllSizesAndComputeTheirNormalizationOnce() throws IOException {
        for (int i = 0; i < 20; i++) {
            files.put("train/ant/%02d.png".formatted(i), Encoder.png(grey(30 + i, 40, 100), 30 + i, 40));
            files.put("train/cat/%02d.png".formatted(i), Encoder.png(grey(30, 40 + i, 100), 30, 40 + i));
        }
        files.keySet().removeIf(name -> name.matches("train/(cat/[abd].*|ant/[xyz].*)"));
        Path cache = directory.resolve("cache");
        var options = OpenOptions.DEFAULT.withCache(cache);
        Path path = written();
        try (var dataset = Datasets.named("image-folder").open(path, options)) {
            var pipeline = Pipeline.named("basic", dataset.natural(), OptionalInt.of(24));
            var choice = SplitChoice.validation(8).withTrainingImages(10);
            var splits = dataset.splits(pipeline.training(), pipeline.evaluation(), choice, STREAMS);
            assertThat(splits.train().size()).isEqualTo(10);
            assertThat(splits.evaluation().size()).isEqualTo(8);
            assertThat(splits.train().shape()).isEqualTo(new ImageShape(3, 24, 24));
            assertThat(splits.normalization().mean()[0]).isEqualTo(100 / 255f);
        }
        assertThat(files(cache)).hasSize(1);
        Files.write(path.resolve("train/ant/new.png"), Encoder.png(grey(30, 40, 100), 30, 40));
        assertThat(meanOf(path, options)).isEqualTo(100 / 255f);
        assertThat(files(cache)).hasSize(2);
    }

    @Test
    void aZipThatCouldDoHarmIsRefused() throws IOException {
        assertThatOpening(zip("").file("../evil.png", image(1)))
                .endsWith(
                        "has a file that would be unpacked elsewhere, ../evil.png: do not trust it, give another archive");
        assertThatOpening(zip("").file("train/cat/../../../evil.png", image(1))).contains("unpacked elsewhere");
        assertThatOpening(zip("").file("/etc/evil.png", image(1))).contains("unpacked elsewhere");
        assertThatOpening(zip("").file("C:/evil.png", image(1))).contains("unpacked elsewhere");
        byte[] target = "/etc/passwd".getBytes(StandardCharsets.UTF_8);
        assertThatOpening(zip("").entry("train/cat/link.png", ZipWriter.LINK, target, target.length, false))
                .contains("has a link, train/cat/link.png: unpack it where links do no harm");
        assertThatOpening(zip("").entry("train/cat/pipe.png", ZipWriter.FIFO, target, target.length, false))
                .contains("neither file nor directory");
        assertThatOpening(zip("").again("train/ant/z2.png", image(1))).contains("has files that lie over each other");
    }

    @Test
    void aBombIsRefusedOrLeftWhereItGoesBeyondItsPromise() throws IOException {
        byte[] zeros = new byte[50 << 20];
        assertThatOpening(zip("").entry("train/cat/x.png", ZipWriter.FILE, image(1), 1L << 31, true))
                .contains("promises 2147483648 bytes of train/cat/x.png in ");
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Path bomb = Files.write(
                directory.resolve("bomb.zip"),
                zip("").entry("train/cat/x.png", ZipWriter.FILE, zeros, 100_000, true)
                        .zip());
        try (var folder = opened(bomb, BadImagePolicy.FAIL)) {
            long before = memory.getCurrentThreadAllocatedBytes();
            assertThatIOExceptionOf(() -> read(folder.train(), 5)).contains("train/cat/x.png is ");
            assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(8 << 20);
        }
    }

    /** The outcome of a damaged archive is its images or an IOException, and no more than 64 MiB of the heap. */
    @Test
    void aMutatedZipIsReadOrRefusedInASentence() throws IOException {
        long seed = Long.getLong("polder.seed", System.nanoTime());
        System.out.println("ImageFolderTest mutates with -Dpolder.seed=" + seed);
        var random = new SplittableRandom(seed);
        byte[] original = zip("").zip();
        int list = original.length - 22 - 60 * files.size();
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Path path = directory.resolve("mutated.zip");
        int refused = 0;
        for (int i = 0; i < 1500; i++) {
            byte[] damaged = random.nextInt(5) == 0
                    ? Arrays.copyOf(original, random.nextInt(original.length + 30))
                    : original.clone();
            int changes = damaged.length == 0 ? 0 : random.nextInt(5);
            for (int c = 0; c < changes; c++) {
                int first = random.nextBoolean() ? Math.min(list, damaged.length - 1) : 0;
                damaged[first + random.nextInt(damaged.length - first)] =
                        (byte) (random.nextInt(3) == 0 ? 0xff : random.nextInt(256));
            }
            Files.write(path, damaged);
            long before = memory.getCurrentThreadAllocatedBytes();
            try (var folder = opened(path, BadImagePolicy.FAIL)) {
                for (int image = 0; image < folder.train().size(); image++) {
                    read(folder.train(), image);
                }
            } catch (IOException e) {
                assertThat(e).hasMessageStartingWith(path.toString());
                refused++;
            }
            assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 20);
        }
        assertThat(refused).isBetween(200, 1500);
    }

    private static Dataset opened(Path path, BadImagePolicy onBadImage) throws IOException {
        return Datasets.named("image-folder").open(path, OpenOptions.DEFAULT.withOnBadImage(onBadImage));
    }

    private float meanOf(Path path, OpenOptions options) throws IOException {
        try (var dataset = Datasets.named("image-folder").open(path, options)) {
            var pipeline = Pipeline.named("basic", dataset.natural(), OptionalInt.of(24));
            return dataset.splits(pipeline.training(), pipeline.evaluation(), SplitChoice.test(), STREAMS)
                    .normalization()
                    .mean()[0];
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static List<List<Byte>> epoch(ImageSource images, LoaderOptions options, int epoch, int first) {
        List<List<Byte>> batches = new ArrayList<>();
        try (var loader = new Loader(images, options, STREAMS);
                var served = loader.epoch(epoch, first)) {
            for (Batch batch : served) {
                List<Byte> bytes = new ArrayList<>();
                for (var pixels = batch.pixels(); pixels.hasRemaining(); ) {
                    bytes.add(pixels.get());
                }
                batches.add(bytes);
            }
        }
        return batches;
    }

    private static List<List<Byte>> all(ImageSource pictures) throws IOException {
        List<List<Byte>> all = new ArrayList<>();
        for (int i = 0; i < pictures.size(); i++) {
            List<Byte> bytes = new ArrayList<>();
            for (byte b : read(pictures, i)) {
                bytes.add(b);
            }
            all.add(bytes);
        }
        return all;
    }

    private static byte[] read(ImageSource pictures, int index) throws IOException {
        byte[] image = new byte[3 * SIDE * SIDE];
        pictures.framed(AS_IS).read(index, image);
        return image;
    }

    private static int[] labels(ImageSource pictures) {
        int[] labels = new int[pictures.size()];
        Arrays.setAll(labels, pictures::label);
        return labels;
    }

    private Path written() throws IOException {
        Path root = directory.resolve("folder");
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        return root;
    }

    private ZipWriter zip(String prefix) {
        var writer = new ZipWriter();
        // Not in order, and one of them not packed.
        files.descendingMap().forEach((name, contents) -> {
            if (name.endsWith("a.png")) {
                writer.stored(prefix + name, contents);
            } else {
                writer.file(prefix + name, contents);
            }
        });
        return writer;
    }

    private Path zipped(String prefix) throws IOException {
        return Files.write(
                directory.resolve(prefix.replace("/", "") + "folder.zip"),
                zip(prefix).zip());
    }

    /** As Java writes them: sizes after the contents. */
    private Path javaZip() throws IOException {
        Path path = directory.resolve("java.zip");
        try (var zip = new ZipOutputStream(Files.newOutputStream(path))) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
            }
        }
        return path;
    }

    private AbstractStringAssert<?> assertThatOpening(ZipWriter zip) throws IOException {
        Path path = Files.write(directory.resolve("hostile.zip"), zip.zip());
        return assertThatOpening(path).startsWith(path.toString());
    }

    private static AbstractStringAssert<?> assertThatOpening(Path path) {
        return assertThatIOExceptionOf(() -> opened(path, BadImagePolicy.FAIL).close());
    }

    private static AbstractStringAssert<?> assertThatIOExceptionOf(ThrowingCallable call) {
        var thrown =
                assertThatExceptionOfType(IOException.class).isThrownBy(call).actual();
        return assertThat(thrown.getMessage());
    }

    private static byte[] pixels(int seed) {
        byte[] pixels = new byte[3 * SIDE * SIDE];
        new SplittableRandom(seed).nextBytes(pixels);
        return pixels;
    }

    private static byte[] image(int seed) {
        return Encoder.png(pixels(seed), SIDE, SIDE);
    }

    private static byte[] jpeg(int seed) {
        return Encoder.jpeg(pixels(seed), SIDE, SIDE, 90);
    }

    private static byte[] grey(int height, int width, int level) {
        byte[] pixels = new byte[3 * height * width];
        Arrays.fill(pixels, (byte) level);
        return pixels;
    }
}
