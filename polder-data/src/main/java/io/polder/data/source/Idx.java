package io.polder.data.source;

import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads IDX, the format of MNIST and Fashion-MNIST: a magic number, the dimensions, then the bytes.
 *
 * <p>Files may be plain or gzip, whatever their names say. No number in a header is believed before the bytes it
 * promises have been read, and every fault is an {@link IOException} of one sentence: the file, what is wrong with it,
 * what to do.
 */
final class Idx {
    private Idx() {}

    private enum Kind {
        IMAGES("images", 0x00000803, 3),
        LABELS("labels", 0x00000801, 1);

        final String contents;
        final int magic;
        final int dimensions;

        Kind(String contents, int magic, int dimensions) {
            this.contents = contents;
            this.magic = magic;
            this.dimensions = dimensions;
        }
    }

    private record Contents(int[] dimensions, byte[] bytes) {}

    /** The largest array a JVM is sure to allow. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

    /**
     * Finds {@code <split>-images-idx3-ubyte} and {@code <split>-labels-idx1-ubyte}, with or without {@code .gz}, and
     * with a dot before {@code idx} as some mirrors spell it. The splits of MNIST are {@code train} and {@code t10k}.
     */
    static ImagesInMemory read(Path directory, String split) throws IOException {
        return read(find(directory, split + "-images", "idx3-ubyte"), find(directory, split + "-labels", "idx1-ubyte"));
    }

    static ImagesInMemory read(Path images, Path labels) throws IOException {
        try (InputStream imageStream = open(images);
                InputStream labelStream = open(labels)) {
            return read(imageStream, images.toString(), labelStream, labels.toString());
        }
    }

    /** Reads both streams to their ends, for resources in a jar; the caller closes them. The names are for messages. */
    static ImagesInMemory read(InputStream images, String imagesName, InputStream labels, String labelsName)
            throws IOException {
        Contents pixels = read(images, imagesName, Kind.IMAGES);
        Contents classes = read(labels, labelsName, Kind.LABELS);
        int size = pixels.dimensions[0];
        if (size != classes.dimensions[0]) {
            throw fault(
                    imagesName,
                    "has %d images but %s has %d labels: give two files of one split"
                            .formatted(size, labelsName, classes.dimensions[0]));
        }
        int[] labelOf = new int[size];
        int highest = 0;
        for (int i = 0; i < size; i++) {
            labelOf[i] = Byte.toUnsignedInt(classes.bytes[i]);
            highest = Math.max(highest, labelOf[i]);
        }
        ImageShape shape = new ImageShape(1, pixels.dimensions[1], pixels.dimensions[2]);
        return new ImagesInMemory(shape, highest + 1, pixels.bytes, labelOf);
    }

    private static Contents read(InputStream stream, String name, Kind kind) throws IOException {
        try {
            InputStream plain = unzipped(Objects.requireNonNull(stream, () -> name + " is not there"));
            int[] dimensions = header(plain, name, kind);
            int promised = product(dimensions, name, kind);
            // Grows with what is there: a header's promise allocates nothing.
            byte[] bytes = plain.readNBytes(promised);
            requireWhole(name, "its header promises", promised, bytes.length);
            // Also what makes gzip check its sum.
            if (plain.read() != -1) {
                throw fault(name, "goes on after the %d bytes its header promises: fetch it again".formatted(promised));
            }
            return new Contents(dimensions, bytes);
        } catch (EOFException | ZipException e) {
            throw new IOException(name + " is a damaged gzip file or cut short: fetch it again", e);
        }
    }

    private static InputStream unzipped(InputStream stream) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(stream);
        buffered.mark(2);
        boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
        buffered.reset();
        return gzip ? new GZIPInputStream(buffered) : buffered;
    }

    private static int[] header(InputStream plain, String name, Kind kind) throws IOException {
        int length = Integer.BYTES * (1 + kind.dimensions);
        byte[] header = plain.readNBytes(length);
        if (header.length >= Integer.BYTES && ByteBuffer.wrap(header).getInt() != kind.magic) {
            throw fault(
                    name,
                    "is not an IDX file of %s: it begins with 0x%s, not 0x%08x; give another file or fetch it again"
                            .formatted(kind.contents, HexFormat.of().formatHex(header, 0, Integer.BYTES), kind.magic));
        }
        requireWhole(name, "a header of IDX %s takes".formatted(kind.contents), length, header.length);
        int[] dimensions = new int[kind.dimensions];
        ByteBuffer.wrap(header, Integer.BYTES, length - Integer.BYTES)
                .asIntBuffer()
                .get(dimensions);
        return dimensions;
    }

    private static int product(int[] dimensions, String name, Kind kind) throws IOException {
        long product = 1;
        for (int dimension : dimensions) {
            long size = Integer.toUnsignedLong(dimension);
            if (size == 0) {
                throw fault(name, "holds no %s: give a file that does".formatted(kind.contents));
            }
            // Below 2^31 times below 2^32: the product cannot wrap before it is looked at.
            product *= size;
            if (product > MOST_BYTES) {
                throw fault(
                        name,
                        "promises more than the %d bytes one array can hold: its header is damaged, fetch it again"
                                .formatted(MOST_BYTES));
            }
        }
        return (int) product;
    }

    private static void requireWhole(String name, String promise, int promised, int found) throws IOException {
        if (found < promised) {
            throw fault(
                    name,
                    "is cut short: %s %d bytes and %d were found; fetch it again".formatted(promise, promised, found));
        }
    }

    private static Path find(Path directory, String name, String type) throws IOException {
        for (String candidate : List.of(name + "-" + type, name + "." + type)) {
            for (String ending : List.of("", ".gz")) {
                Path path = directory.resolve(candidate + ending);
                if (Files.exists(path)) {
                    return path;
                }
            }
        }
        throw fault(
                directory.toString(),
                "has no %s-%s, plain or .gz: put the data set's files there or give their directory"
                        .formatted(name, type));
    }

    private static InputStream open(Path path) throws IOException {
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw fault(path.toString(), "is not a file that can be read: check the path and its permissions");
        }
        return Files.newInputStream(path);
    }

    private static IOException fault(String name, String sentence) {
        return new IOException(name + " " + sentence);
    }
}
