package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.source.Cifar.Labels;
import io.polder.data.source.Cifar.Split;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CifarTest {
    private static final int PLANE = 32 * 32;

    @TempDir
    private Path directory;

    @Test
    void redGreenAndBlueOfAPixelComeTogether() throws IOException {
        byte[] record = new byte[1 + 3 * PLANE];
        record[0] = 7;
        for (int pixel = 0; pixel < PLANE; pixel++) {
            record[1 + pixel] = (byte) pixel;
            record[1 + PLANE + pixel] = (byte) (pixel / 4 + 1);
            record[1 + 2 * PLANE + pixel] = (byte) (3 * pixel + 2);
        }
        Files.write(directory.resolve("test_batch.bin"), record);
        ImagesInMemory images = Cifar.ten(directory, Split.TEST);
        assertThat(images.shape()).isEqualTo(new ImageShape(3, 32, 32));
        assertThat(images.size()).isEqualTo(1);
        assertThat(images.label(0)).isEqualTo(7);
        byte[] image = pixels(images, 0);
        for (int pixel = 0; pixel < PLANE; pixel++) {
            assertThat(Arrays.copyOfRange(image, 3 * pixel, 3 * pixel + 3))
                    .as("row %d, column %d", pixel / 32, pixel % 32)
                    .containsExactly((byte) pixel, (byte) (pixel / 4 + 1), (byte) (3 * pixel + 2));
        }
    }

    @Test
    void theFiveBatchesComeInOrderAndTheTestBatchAlone() throws IOException {
        unpack(ten(), directory);
        assertThat(labels(Cifar.ten(directory, Split.TRAIN))).containsExactly(1, 1, 2, 2, 3, 3, 4, 4, 5, 5);
        assertThat(labels(Cifar.ten(directory, Split.TEST))).containsExactly(9, 9, 9);
        assertThat(Cifar.ten(directory, Split.TEST).classes())
                .as("whatever occurs")
                .isEqualTo(10);
    }

    @Test
    void anImageOfCifar100HasTwoLabels() throws IOException {
        unpack(hundred(), directory);
        ImagesInMemory fine = Cifar.hundred(directory, Split.TRAIN, Labels.FINE);
        ImagesInMemory coarse = Cifar.hundred(directory, Split.TRAIN, Labels.COARSE);
        assertThat(labels(fine)).containsExactly(99, 0);
        assertThat(labels(coarse)).containsExactly(19, 4);
        assertThat(fine.classes()).isEqualTo(100);
        assertThat(coarse.classes()).isEqualTo(20);
        assertThat(pixels(fine, 1)).isEqualTo(pixels(coarse, 1)).containsOnly(41);
        assertThat(labels(Cifar.hundred(directory, Split.TEST, Labels.FINE))).containsExactly(50);
    }

    @Test
    void directoryAndArchiveGiveTheSame() throws IOException {
        Path unpacked = Files.createDirectories(directory.resolve("data/cifar-10-batches-bin"));
        unpack(ten(), unpacked);
        // The order of the official archive is not that of the names either.
        Path archive = archive(reversed(ten()), "cifar-10-batches-bin/");
        for (Split split : Split.values()) {
            ImagesInMemory expected = Cifar.ten(unpacked, split);
            assertSameImages(Cifar.ten(directory.resolve("data"), split), expected);
            assertSameImages(Cifar.ten(archive, split), expected);
        }
        Path hundred = Files.createDirectories(directory.resolve("data/cifar-100-binary"));
        unpack(hundred(), hundred);
        Path archiveOfHundred = archive(hundred(), "cifar-100-binary/");
        for (Split split : Split.values()) {
            assertSameImages(
                    Cifar.hundred(archiveOfHundred, split, Labels.FINE),
                    Cifar.hundred(directory.resolve("data"), split, Labels.FINE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--format=gnu", "--format=ustar", "--format=pax", "--format=v7"})
    void anArchiveOfTheRealTarIsRead(String format) throws IOException, InterruptedException {
        assumeTrue(hasTar(), "there is no tar on the path");
        Path unpacked = Files.createDirectories(directory.resolve("cifar-10-batches-bin"));
        unpack(ten(), unpacked);
        for (String name : List.of("cifar-10-batches-bin", "./cifar-10-batches-bin")) {
            Path archive = directory.resolve("cifar-10-binary.tar.gz");
            assertThat(run("tar", format, "-czf", archive.toString(), "-C", directory.toString(), name))
                    .isZero();
            assertSameImages(Cifar.ten(archive, Split.TRAIN), Cifar.ten(unpacked, Split.TRAIN));
        }
    }

    @Test
    void anOfficialNumberOfImagesIsReadAndOneMoreIsNot() throws IOException {
        Path file = directory.resolve("test_batch.bin");
        byte[] official = new byte[10_000 * (1 + 3 * PLANE)];
        Files.write(file, official);
        assertThat(Cifar.ten(directory, Split.TEST).size()).isEqualTo(10_000);
        Files.write(file, Arrays.copyOf(official, official.length + 1 + 3 * PLANE));
        assertThatIOExceptionOf(() -> Cifar.ten(directory, Split.TEST))
                .isEqualTo(file + " has more than the 10000 images this file of CIFAR-10 may have: give another");
    }

    @Test
    void aFileCutShortIsOneSentence() throws IOException {
        Path file = directory.resolve("test_batch.bin");
        byte[] two = records(2, 9);
        for (int missing : new int[] {1, 3072, 3074}) {
            Files.write(file, Arrays.copyOf(two, two.length - missing));
            assertThatIOExceptionOf(() -> Cifar.ten(directory, Split.TEST))
                    .isEqualTo("%s is cut short: %d bytes are no whole number of images of 3073; fetch it again"
                            .formatted(file, two.length - missing));
        }
    }

    @Test
    void anEmptyFileIsRefused() throws IOException {
        Path file = Files.write(directory.resolve("test_batch.bin"), new byte[0]);
        assertThatIOExceptionOf(() -> Cifar.ten(directory, Split.TEST)).isEqualTo(file + " is empty: fetch it again");
    }

    @Test
    void aLabelOutOfRangeIsRefusedAlsoWhereItIsNotAskedFor() throws IOException {
        Path ten = Files.write(directory.resolve("test_batch.bin"), joined(records(1, 3), records(1, 255)));
        assertThatIOExceptionOf(() -> Cifar.ten(directory, Split.TEST))
                .isEqualTo(ten + " has label 255 at image 1, where CIFAR-10 has 0 to 9: "
                        + "give another file or fetch it again");
        Path hundred = Files.write(directory.resolve("test.bin"), records(1, 20, 3));
        assertThatIOExceptionOf(() -> Cifar.hundred(directory, Split.TEST, Labels.FINE))
                .isEqualTo(hundred + " has label 20 at image 0, where CIFAR-100 has 0 to 19: "
                        + "give another file or fetch it again");
        Files.write(hundred, records(1, 19, 100));
        assertThatIOExceptionOf(() -> Cifar.hundred(directory, Split.TEST, Labels.COARSE))
                .startsWith(hundred + " has label 100 at image 0, where CIFAR-100 has 0 to 99:");
    }

    @Test
    void everyMissingFileIsNamed() throws IOException {
        Map<String, byte[]> some = ten();
        some.keySet().removeAll(List.of("data_batch_2.bin", "data_batch_5.bin", "test_batch.bin"));
        unpack(some, directory);
        String advice = ": give cifar-10-binary.tar.gz or the directory it was unpacked in";
        assertThatIOExceptionOf(() -> Cifar.ten(directory, Split.TRAIN))
                .isEqualTo(directory + " has no data_batch_2.bin, data_batch_5.bin" + advice);
        assertThatIOExceptionOf(() -> Cifar.ten(directory, Split.TEST))
                .isEqualTo(directory + " has no test_batch.bin" + advice);
        Path archive = archive(some, "cifar-10-batches-bin/");
        assertThatIOExceptionOf(() -> Cifar.ten(archive, Split.TRAIN))
                .isEqualTo(archive + " has no data_batch_2.bin, data_batch_5.bin" + advice);
        assertThatIOExceptionOf(() -> Cifar.hundred(archive, Split.TRAIN, Labels.FINE))
                .isEqualTo(archive + " has no train.bin: give cifar-100-binary.tar.gz or the directory it was unpacked "
                        + "in");
        Path nowhere = directory.resolve("nowhere");
        assertThatIOExceptionOf(() -> Cifar.ten(nowhere, Split.TEST))
                .isEqualTo(nowhere + " is not a file that can be read" + advice);
    }

    @Test
    void aDirectoryInPlaceOfAFileIsRefused() throws IOException {
        Path file = Files.createDirectory(directory.resolve("test_batch.bin"));
        assertThatIOExceptionOf(() -> Cifar.ten(directory, Split.TEST))
                .isEqualTo(file + " is not a file that can be read: check its permissions");
    }

    @Test
    void theFaultsOfAFileInAnArchiveNameBoth() throws IOException {
        Path archive = write(new TarWriter()
                .file("cifar-100-binary/test.bin", new byte[5000])
                .tarGz());
        assertThatIOExceptionOf(() -> Cifar.hundred(archive, Split.TEST, Labels.FINE))
                .isEqualTo(archive + ": test.bin is cut short: 5000 bytes are no whole number of images of 3074; "
                        + "fetch it again");
    }

    @Test
    void aFileThatComesTwiceIsRefused() throws IOException {
        Path archive = write(new TarWriter()
                .file("test_batch.bin", records(1, 1))
                .file("cifar-10-batches-bin/test_batch.bin", records(1, 2))
                .tarGz());
        assertThatIOExceptionOf(() -> Cifar.ten(archive, Split.TEST))
                .isEqualTo(archive + " has test_batch.bin twice: give another archive");
    }

    @Test
    void everyCutAndSomeFlipsOfAnArchiveAreAFaultThatNamesIt() throws IOException {
        byte[] whole = new TarWriter().file("test_batch.bin", records(1, 1)).tarGz();
        for (int length = 0; length < whole.length; length++) {
            Path archive = write(Arrays.copyOf(whole, length));
            assertThatIOExceptionOf(() -> Cifar.ten(archive, Split.TEST))
                    .as("first %d of %d bytes", length, whole.length)
                    .startsWith(archive + " is no gzip file, damaged or cut short: give cifar-10-binary.tar.gz");
        }
        byte[] wrongSum = whole.clone();
        wrongSum[whole.length - 8] ^= 1;
        Path archive = write(wrongSum);
        assertThatIOExceptionOf(() -> Cifar.ten(archive, Split.TEST))
                .isEqualTo(archive + " is no gzip file, damaged or cut short: give cifar-10-binary.tar.gz, "
                        + "if need be fetch it again");
    }

    @Test
    void aTextInPlaceOfAnArchiveIsRefused() throws IOException {
        Path page = write("<html>404 Not Found</html>".getBytes());
        assertThatIOExceptionOf(() -> Cifar.ten(page, Split.TEST)).startsWith(page + " is no gzip file");
        Path zippedPage = write(TarWriter.gzip(new byte[] {'<', 'h', 't', 'm', 'l', '>'}));
        assertThatIOExceptionOf(() -> Cifar.ten(zippedPage, Split.TEST))
                .isEqualTo(zippedPage + " is cut short after 6 bytes: fetch it again");
    }

    @Test
    void linksAndNamesThatLeadElsewhereAreRefusedWhereverTheyAre() throws IOException {
        for (var hostile : List.of(
                new TarWriter().entry("../evil", '0', 0, new byte[0]),
                new TarWriter().entry("/evil", '0', 0, new byte[0]),
                new TarWriter().entry("evil", '2', 0, new byte[0]))) {
            Path archive = write(hostile.file("test_batch.bin", records(1, 1)).tarGz());
            assertThatIOExceptionOf(() -> Cifar.ten(archive, Split.TEST))
                    .startsWith(archive + " has a ")
                    .contains("evil: ");
        }
    }

    @Test
    void aBombIsRefusedByItsPromise() throws IOException {
        Path archive = write(TarWriter.gzip(new TarWriter()
                .entry("cifar-10-batches-bin/test_batch.bin", '0', 300_000_000, new byte[0])
                .withoutEnd()));
        assertThatIOExceptionOf(() -> Cifar.ten(archive, Split.TEST))
                .isEqualTo(archive + " promises 300000000 bytes of cifar-10-batches-bin/test_batch.bin, "
                        + "too many for an archive of at most 200000000: give another archive");
    }

    @Test
    void aPromiseBelowTheBoundAllocatesNothing() throws IOException {
        Path archive = write(TarWriter.gzip(new TarWriter()
                .entry("train.bin", '0', 150_000_000, records(3, 1, 1))
                .withoutEnd()));
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();
        assertThatIOExceptionOf(() -> Cifar.hundred(archive, Split.TRAIN, Labels.FINE))
                .startsWith(archive + " is cut short: ");
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
    }

    @Test
    void aMutatedArchiveIsReadOrRefusedInASentence() throws IOException {
        long seed = Long.getLong("polder.seed", 20261115);
        System.out.println("CifarTest mutates with -Dpolder.seed=" + seed);
        var random = new SplittableRandom(seed);
        byte[] tar = new TarWriter()
                .entry("cifar-100-binary/", '5', 0, new byte[0])
                .file("cifar-100-binary/readme.txt", new byte[600])
                .file("cifar-100-binary/test.bin", records(2, 3, 4))
                .file("cifar-100-binary/train.bin", records(1, 5, 6))
                .tar();
        int[] headers = {0, 512, 2048, 2048 + 512 * 14};
        byte[] zipped = TarWriter.gzip(tar);
        int faults = 0;
        for (int round = 0; round < 3000; round++) {
            boolean inside = random.nextInt(4) > 0;
            byte[] mutant = mutated(inside ? tar : zipped, headers, inside, random);
            Path archive = write(inside ? TarWriter.gzip(mutant) : mutant);
            try {
                ImagesInMemory images = Cifar.hundred(archive, Split.TEST, Labels.FINE);
                assertThat(images.size()).isBetween(1, 3);
            } catch (IOException e) {
                faults++;
                assertThat(e.getMessage())
                        .as("round %d of seed %d", round, seed)
                        .startsWith(archive.toString())
                        .doesNotContainPattern("[\\p{Cntrl}]");
            } catch (RuntimeException | Error e) {
                throw new AssertionError("round %d of seed %d".formatted(round, seed), e);
            }
        }
        assertThat(faults).as("mutations that reach something").isBetween(1000, 2900);
    }

    /** Some bytes or fields of headers changed, a piece lost or doubled; headers mostly get their sums put right. */
    private static byte[] mutated(byte[] bytes, int[] headers, boolean tar, SplittableRandom random) {
        byte[] mutant = bytes.clone();
        for (int change = random.nextInt(1, 4); change > 0; change--) {
            int where = random.nextInt(mutant.length);
            if (tar && random.nextInt(3) > 0) {
                int[] fields = {0, 1, 17, 18, 100, 124, 128, 133, 134, 156, 257, 262, 345};
                where = headers[random.nextInt(headers.length)] + fields[random.nextInt(fields.length)];
            }
            byte[] likely = {0, 1, '/', '.', '0', '1', '2', '5', '7', 'x', ' ', -1, -128, (byte) random.nextInt()};
            mutant[where] = likely[random.nextInt(likely.length)];
        }
        if (tar && random.nextInt(5) > 0) {
            Arrays.stream(headers).forEach(header -> TarWriter.seal(mutant, header));
        }
        if (random.nextInt(4) > 0) {
            return mutant;
        }
        int unit = tar && random.nextBoolean() ? TarWriter.BLOCK : 1;
        int from = random.nextInt(mutant.length / unit) * unit;
        int to = random.nextInt(mutant.length / unit) * unit;
        // What lies between is lost, or comes a second time.
        return joined(Arrays.copyOf(mutant, from), Arrays.copyOfRange(mutant, to, mutant.length));
    }

    /** The n-th training batch has two images of class n, filled with n; the test batch three of class 9. */
    private static Map<String, byte[]> ten() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("batches.meta.txt", "airplane\n".getBytes());
        for (int batch = 1; batch <= 5; batch++) {
            files.put("data_batch_" + batch + ".bin", records(2, batch));
        }
        files.put("test_batch.bin", records(3, 9));
        return files;
    }

    private static Map<String, byte[]> hundred() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("train.bin", joined(records(1, 19, 99), records(1, 4, 0)));
        files.put("test.bin", records(1, 10, 50));
        return files;
    }

    /** Alike but for their place: labels, then ten times the first of them plus one, plus the place. */
    private static byte[] records(int count, int... labels) {
        byte[] records = new byte[count * (labels.length + 3 * PLANE)];
        for (int i = 0; i < count; i++) {
            int start = i * (labels.length + 3 * PLANE);
            for (int j = 0; j < labels.length; j++) {
                records[start + j] = (byte) labels[j];
            }
            Arrays.fill(
                    records, start + labels.length, start + labels.length + 3 * PLANE, (byte) (10 * labels[0] + 1 + i));
        }
        return records;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        var both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    private static Map<String, byte[]> reversed(Map<String, byte[]> files) {
        List<String> names = new ArrayList<>(files.keySet());
        Collections.reverse(names);
        Map<String, byte[]> reversed = new LinkedHashMap<>();
        names.forEach(name -> reversed.put(name, files.get(name)));
        return reversed;
    }

    private static void unpack(Map<String, byte[]> files, Path directory) throws IOException {
        for (var file : files.entrySet()) {
            Files.write(directory.resolve(file.getKey()), file.getValue());
        }
    }

    private Path archive(Map<String, byte[]> files, String prefix) throws IOException {
        TarWriter tar = new TarWriter().entry(prefix, '5', 0, new byte[0]);
        files.forEach((name, contents) -> tar.file(prefix + name, contents));
        return write(tar.tarGz());
    }

    private Path write(byte[] archive) throws IOException {
        Path file = directory.resolve("archive.tar.gz");
        // Some file systems go to the disc when a file is overwritten, but not for a new one.
        Files.deleteIfExists(file);
        return Files.write(file, archive);
    }

    private static boolean hasTar() throws InterruptedException {
        try {
            return run("tar", "--version") == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static int[] labels(ImageSource images) {
        return IntStream.range(0, images.size()).map(images::label).toArray();
    }

    private static byte[] pixels(ImagesInMemory images, int index) {
        byte[] image = new byte[images.shape().bytes()];
        images.read(index, image);
        return image;
    }

    private static void assertSameImages(ImagesInMemory actual, ImagesInMemory expected) {
        assertThat(labels(actual)).isEqualTo(labels(expected));
        for (int index = 0; index < expected.size(); index++) {
            assertThat(pixels(actual, index)).as("image %d", index).isEqualTo(pixels(expected, index));
        }
    }

    private static AbstractStringAssert<?> assertThatIOExceptionOf(ThrowingCallable call) {
        var thrown =
                assertThatExceptionOfType(IOException.class).isThrownBy(call).actual();
        return assertThat(thrown.getMessage());
    }
}
