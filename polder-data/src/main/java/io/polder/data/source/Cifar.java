package io.polder.data.source;

import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads CIFAR-10 and CIFAR-100 in their binary versions: colour images of 32 x 32, 50,000 to train on and 10,000 to
 * test with.
 *
 * <p>A path is the archive as it was downloaded ({@code cifar-10-binary.tar.gz}, {@code cifar-100-binary.tar.gz}),
 * which is read without unpacking it to disk; or the directory it was unpacked in; or the directory that then holds
 * the files. Each way gives the same images in the same order. Files may hold fewer images than the official ones, as
 * subsets do, but whole ones and at least one: {@link ImagesInMemory#size()} says how many were there.
 *
 * <p>The numbers of classes are fixed, whatever labels occur. Every fault is an {@link IOException} of one sentence:
 * the file, what is wrong with it, what to do. While reading, up to twice the memory of the images is in use.
 */
final class Cifar {
    private Cifar() {}

    enum Split {
        TRAIN(50_000),
        TEST(10_000);

        private final int images;

        Split(int images) {
            this.images = images;
        }
    }

    /** The two labels an image of CIFAR-100 has, in the order in which they stand before it. */
    enum Labels {
        /** The 20 superclasses. */
        COARSE,
        /** The 100 classes, five in each superclass. */
        FINE
    }

    /** @param classes for each label byte before the pixels, the number of its classes */
    record Version(int number, String directory, List<String> train, List<String> test, List<Integer> classes) {
        static final Version TEN = new Version(
                10,
                "cifar-10-batches-bin",
                IntStream.rangeClosed(1, 5)
                        .mapToObj("data_batch_%d.bin"::formatted)
                        .toList(),
                List.of("test_batch.bin"),
                List.of(10));

        static final Version HUNDRED =
                new Version(100, "cifar-100-binary", List.of("train.bin"), List.of("test.bin"), List.of(20, 100));

        String title() {
            return "CIFAR-" + number;
        }

        String archive() {
            return "cifar-" + number + "-binary.tar.gz";
        }

        List<String> files(Split split) {
            return split == Split.TRAIN ? train : test;
        }

        /** Labels and pixels of an image. */
        int recordBytes() {
            return classes.size() + SHAPE.bytes();
        }
    }

    private static final ImageShape SHAPE = new ImageShape(3, 32, 32);

    /** The official archives hold 184.4 MB of images and some kilobytes of text. */
    private static final long MOST_ARCHIVE_BYTES = 200_000_000;

    static ImagesInMemory ten(Path path, Split split) throws IOException {
        return new Reading(Version.TEN, split, 0).read(path);
    }

    static ImagesInMemory hundred(Path path, Split split, Labels labels) throws IOException {
        return new Reading(Version.HUNDRED, split, labels.ordinal()).read(path);
    }

    /** One call: which files are wanted, and which of their labels. A record is an image's labels and its pixels. */
    private record Reading(Version version, Split split, int labelPosition) {
        ImagesInMemory read(Path path) throws IOException {
            if (Files.isDirectory(path)) {
                return joined(path, fromDirectory(path));
            }
            requireReadable(path, "give %s or the directory it was unpacked in".formatted(version.archive()));
            return joined(path, fromArchive(path));
        }

        private Map<String, byte[]> fromDirectory(Path path) throws IOException {
            boolean here = version.files(split).stream().anyMatch(file -> Files.exists(path.resolve(file)));
            Path directory = here ? path : path.resolve(version.directory);
            Map<String, byte[]> parts = new HashMap<>();
            for (String file : version.files(split)) {
                Path found = directory.resolve(file);
                if (Files.exists(found)) {
                    requireReadable(found, "check its permissions");
                    try (InputStream stream = Files.newInputStream(found)) {
                        parts.put(file, records(stream, found.toString()));
                    }
                }
            }
            return parts;
        }

        private Map<String, byte[]> fromArchive(Path path) throws IOException {
            Map<String, byte[]> parts = new HashMap<>();
            try (InputStream file = Files.newInputStream(path);
                    InputStream plain = new GZIPInputStream(file, 1 << 16)) {
                TarReader archive = new TarReader(plain, path.toString(), MOST_ARCHIVE_BYTES);
                for (TarReader.Entry entry = archive.next(); entry != null; entry = archive.next()) {
                    String name = wantedName(entry.name());
                    if (!version.files(split).contains(name)) {
                        continue;
                    }
                    if (parts.containsKey(name)) {
                        throw fault(path.toString(), "has %s twice: give another archive".formatted(name));
                    }
                    parts.put(name, records(entry.contents(), path + ": " + name));
                }
            } catch (EOFException | ZipException e) {
                throw new IOException(
                        "%s is no gzip file, damaged or cut short: give %s, if need be fetch it again"
                                .formatted(path, version.archive()),
                        e);
            }
            return parts;
        }

        /** Without the directory the official archive has, and without the dot that {@code tar c .} puts before all. */
        private String wantedName(String entry) {
            String name = entry.startsWith("./") ? entry.substring(2) : entry;
            String directory = version.directory + "/";
            return name.startsWith(directory) ? name.substring(directory.length()) : name;
        }

        private byte[] records(InputStream stream, String name) throws IOException {
            int most = split.images / version.files(split).size();
            // Grows with what is there: no file's length is believed.
            byte[] records = stream.readNBytes((most + 1) * version.recordBytes());
            int images = records.length / version.recordBytes();
            for (int image = 0; image < Math.min(images, most); image++) {
                requireLabels(records, image, name);
            }
            if (records.length % version.recordBytes() != 0) {
                throw fault(
                        name,
                        "is cut short: %d bytes are no whole number of images of %d; fetch it again"
                                .formatted(records.length, version.recordBytes()));
            }
            if (images > most) {
                throw fault(
                        name,
                        "has more than the %d images this file of %s may have: give another"
                                .formatted(most, version.title()));
            }
            if (images == 0) {
                throw fault(name, "is empty: fetch it again");
            }
            return records;
        }

        /** Also the label not asked for: it tells a damaged file, or one of the other version. */
        private void requireLabels(byte[] records, int image, String name) throws IOException {
            for (int i = 0; i < version.classes.size(); i++) {
                int label = Byte.toUnsignedInt(records[image * version.recordBytes() + i]);
                if (label >= version.classes.get(i)) {
                    throw fault(
                            name,
                            "has label %d at image %d, where %s has 0 to %d: give another file or fetch it again"
                                    .formatted(label, image, version.title(), version.classes.get(i) - 1));
                }
            }
        }

        /** In the order of the official names, which is not the order of the archive. */
        private ImagesInMemory joined(Path path, Map<String, byte[]> parts) throws IOException {
            List<String> missing = new ArrayList<>(version.files(split));
            missing.removeAll(parts.keySet());
            if (!missing.isEmpty()) {
                throw fault(
                        path.toString(),
                        "has no %s: give %s or the directory it was unpacked in"
                                .formatted(String.join(", ", missing), version.archive()));
            }
            int images = parts.values().stream().mapToInt(part -> part.length).sum() / version.recordBytes();
            byte[] pixels = new byte[images * SHAPE.bytes()];
            int[] labels = new int[images];
            int image = 0;
            for (String file : version.files(split)) {
                byte[] records = parts.remove(file);
                for (int at = 0; at < records.length; at += version.recordBytes(), image++) {
                    labels[image] = records[at + labelPosition];
                    interleave(records, at + version.classes.size(), pixels, image * SHAPE.bytes());
                }
            }
            return new ImagesInMemory(SHAPE, version.classes.get(labelPosition), pixels, labels);
        }

        /** From all red, all green, all blue to the three of each pixel. */
        private static void interleave(byte[] records, int red, byte[] pixels, int offset) {
            int plane = SHAPE.height() * SHAPE.width();
            for (int pixel = 0; pixel < plane; pixel++) {
                pixels[offset + 3 * pixel] = records[red + pixel];
                pixels[offset + 3 * pixel + 1] = records[red + plane + pixel];
                pixels[offset + 3 * pixel + 2] = records[red + 2 * plane + pixel];
            }
        }
    }

    private static void requireReadable(Path path, String advice) throws IOException {
        // A pipe or a device might never end.
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw fault(path.toString(), "is not a file that can be read: " + advice);
        }
    }

    private static IOException fault(String name, String sentence) {
        return new IOException(name + " " + sentence);
    }
}
