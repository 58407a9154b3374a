package io.polder.data.source;

import io.polder.data.Framing;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImageView;
import io.polder.files.Sha256;
import io.polder.files.WholeFile;
import io.polder.image.Frame;
import io.polder.image.ImageHeader;
import io.polder.image.Resizer;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Decoded images in one file: for folders that are trained on many times, where decoding is what takes long and there is room
 * on the disc (3 · side² · 4/3 bytes for a usual photograph).
 *
 * <p>The file lies in {@code packed} below the cache directory, named for the folder and the side. It is made, or made anew,
 * where it is not there, is damaged, or the folder has changed (names, sizes, times); it is there whole or not at all. Each image has a checksum: one that is damaged or can no longer be
 * read is decoded from the folder again. So whatever happens to the file, at whatever time, the images are the same.
 *
 * <p>Layout, big-endian: {@code POLDERP1}, 32 bytes of fingerprint, images (4), CRC-32 of the index (4), CRC-32 of the 48
 * bytes before (4); the index, for each image offset (8), height (4), width (4), CRC-32 (4), whether it replaces a broken
 * one (4); then pixels.
 */
final class PackedPictures implements ImageView, Closeable {
    private static final byte[] MAGIC = "POLDERP1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = 52;
    private static final int ENTRY = 24;

    /** Decoded side by side before they are written, which bounds the memory. */
    private static final int CHUNK = 64;

    /** The image in hand. For each thread one, kept. */
    private static final ThreadLocal<FileBytes> PIXELS = ThreadLocal.withInitial(FileBytes::new);

    private final FolderPictures source;
    private final int side;
    private final ByteBuffer index;
    private final SharedFile file;
    private final byte[] fingerprint;

    private PackedPictures(FolderPictures source, int side, ByteBuffer index, SharedFile file, byte[] fingerprint) {
        this.source = source;
        this.side = side;
        this.index = index;
        this.file = file;
        this.fingerprint = fingerprint;
    }

    static PackedPictures open(FolderPictures source, int side, Path cache) throws IOException {
        byte[] fingerprint = Sha256.digest()
                .digest((source.fingerprint().orElseThrow(() -> new IOException(source.place() + " cannot be packed"))
                                + " " + side)
                        .getBytes(StandardCharsets.UTF_8));
        String name = Sha256.of(Path.of("").toAbsolutePath() + "\n" + source.place() + "\n" + side);
        Path file = cache.resolve("packed").resolve(name + ".pack");
        Optional<PackedPictures> there = read(source, side, file, fingerprint);
        if (there.isPresent()) {
            return there.get();
        }
        try {
            WholeFile.write(file, draft -> write(source, side, draft, fingerprint));
        } catch (UncheckedIOException e) {
            throw e.getCause(); // of an image, not of the file
        }
        return read(source, side, file, fingerprint)
                .orElseThrow(() -> new IOException(file + " is damaged as soon as it is written: check the disc"));
    }

    private static Optional<PackedPictures> read(FolderPictures source, int side, Path file, byte[] fingerprint)
            throws IOException {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (var stored = new RandomAccessFile(file.toFile(), "r")) {
            long length = stored.length();
            long start = HEADER + (long) ENTRY * source.size();
            if (length < start || start > Integer.MAX_VALUE) {
                return Optional.empty();
            }
            ByteBuffer header = ByteBuffer.allocate(HEADER);
            stored.readFully(header.array());
            boolean mine = Arrays.equals(header.array(), 0, 8, MAGIC, 0, 8)
                    && Arrays.equals(header.array(), 8, 40, fingerprint, 0, 32)
                    && header.getInt(40) == source.size()
                    && header.getInt(48) == crc(header.array(), 48);
            if (!mine) {
                return Optional.empty();
            }
            ByteBuffer index = ByteBuffer.allocate(ENTRY * source.size());
            stored.readFully(index.array());
            if (header.getInt(44) != crc(index.array(), index.capacity()) || !fits(index, start, length)) {
                return Optional.empty();
            }
            for (int i = 0; i < source.size(); i++) {
                if (index.getInt(ENTRY * i + 20) != 0) {
                    source.addBadImage(i);
                }
            }
            return Optional.of(new PackedPictures(source, side, index, new SharedFile(file), fingerprint));
        } catch (EOFException e) {
            return Optional.empty();
        }
    }

    /** Checksums can be made to fit; a place outside the file cannot be read whatever they say. */
    private static boolean fits(ByteBuffer index, long start, long length) {
        for (int at = 0; at < index.capacity(); at += ENTRY) {
            long offset = index.getLong(at);
            int height = index.getInt(at + 8);
            int width = index.getInt(at + 12);
            if (height < 1 || width < 1 || (long) height * width > ImageHeader.MOST_PIXELS) {
                return false;
            }
            long bytes = 3L * height * width;
            if (offset < start || offset > length - bytes) {
                return false;
            }
        }
        return true;
    }

    private static void write(FolderPictures source, int side, Path draft, byte[] fingerprint) throws IOException {
        ByteBuffer index = ByteBuffer.allocate(Math.multiplyExact(ENTRY, source.size()));
        try (var file = new RandomAccessFile(draft.toFile(), "rw")) {
            long end = HEADER + index.capacity();
            file.seek(end);
            for (int first = 0; first < source.size(); first += CHUNK) {
                for (FolderPictures.Decoded image : decoded(source, side, first)) {
                    file.write(image.pixels());
                    index.putLong(end)
                            .putInt(image.height())
                            .putInt(image.width())
                            .putInt(crc(image.pixels(), image.pixels().length))
                            .putInt(image.replaced() ? 1 : 0);
                    end += image.pixels().length;
                }
            }
            ByteBuffer header = ByteBuffer.allocate(HEADER)
                    .put(MAGIC)
                    .put(fingerprint)
                    .putInt(source.size())
                    .putInt(crc(index.array(), index.capacity()));
            header.putInt(crc(header.array(), 48));
            file.seek(0);
            file.write(header.array());
            file.write(index.array());
        }
    }

    private static FolderPictures.Decoded[] decoded(FolderPictures source, int side, int first) {
        var images = new FolderPictures.Decoded[Math.min(CHUNK, source.size() - first)];
        IntStream.range(0, images.length).parallel().forEach(i -> {
            try {
                images[i] = source.decoded(first + i, side);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return images;
    }

    @Override
    public ImageSource source() {
        return source;
    }

    @Override
    public ImageShape shape() {
        return new ImageShape(3, index.getInt(8), index.getInt(12));
    }

    @Override
    public void read(int index, byte[] destination) throws IOException {
        framed(Framing.asIs(shape().height(), shape().width())).read(index, destination);
    }

    @Override
    public void read(int picture, Framing framing, byte[] destination, SplittableRandom random) throws IOException {
        int at = Math.multiplyExact(ENTRY, picture);
        long offset = index.getLong(at);
        int height = index.getInt(at + 8);
        int width = index.getInt(at + 12);
        int bytes = 3 * height * width;
        byte[] pixels = PIXELS.get().room(bytes);
        if (!readAt(offset, pixels, bytes) || crc(pixels, bytes) != index.getInt(at + 16)) {
            pixels = source.decoded(picture, side).pixels();
        }
        Frame frame;
        try {
            frame = framing.frame(height, width, random);
        } catch (IllegalArgumentException e) {
            throw new IOException("image %d of %s %s".formatted(picture, source.place(), e.getMessage()), e);
        }
        Resizer.resize(pixels, height, width, 3, frame, destination);
    }

    /** Whether they could be read: the file is another's to cut short or remove. */
    private boolean readAt(long offset, byte[] pixels, int bytes) {
        try {
            RandomAccessFile lent = file.lend();
            try {
                lent.seek(offset);
                lent.readFully(pixels, 0, bytes);
            } finally {
                file.giveBack(lent);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    @Override
    public String contents(Path cache) throws IOException {
        return source.contents(cache);
    }

    @Override
    public Optional<String> fingerprint() {
        return Optional.of(HexFormat.of().formatHex(fingerprint));
    }

    private static int crc(byte[] bytes, int length) {
        var sum = new CRC32();
        sum.update(bytes, 0, length);
        return (int) sum.getValue();
    }
}
