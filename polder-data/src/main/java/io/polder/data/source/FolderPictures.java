package io.polder.data.source;

import io.polder.data.BadImagePolicy;
import io.polder.data.Framing;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.KeptText;
import io.polder.files.Sha256;
import io.polder.image.Area;
import io.polder.image.Decoder;
import io.polder.image.Frame;
import io.polder.image.ImageHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One split of an {@link ImageFolder}: files that are decoded when they are asked for. */
final class FolderPictures implements ImageSource {
    /** Grey images have three equal ones. */
    private static final int CHANNELS = 3;

    /** The file in hand. For each thread one, kept: a new array an image would be most of the loader's garbage. */
    private static final ThreadLocal<FileBytes> FILE = ThreadLocal.withInitial(FileBytes::new);

    private final Folder folder;
    private final FileTree tree;
    private final String place;
    private final String directory;
    private final List<String> files;
    private final LabelSets labels;
    private final List<String> classNames;
    private volatile ImageShape first;

    /**
     * @param place what messages call the split, and no other split is called
     * @param directory that all the files are below
     */
    FolderPictures(
            Folder folder,
            String place,
            String directory,
            List<String> files,
            LabelSets labels,
            List<String> classNames) {
        this.folder = folder;
        this.tree = folder.tree();
        this.place = place;
        this.directory = directory;
        this.files = List.copyOf(files);
        this.labels = labels;
        this.classNames = classNames;
    }

    List<String> files() {
        return files;
    }

    @Override
    public int size() {
        return files.size();
    }

    @Override
    public int classes() {
        return classNames.size();
    }

    @Override
    public int label(int index) {
        return labels.label(index);
    }

    @Override
    public int[] labels(int index) {
        return labels.labels(index);
    }

    @Override
    public String name(int index) {
        return tree.display(files.get(index));
    }

    @Override
    public int channels() {
        return CHANNELS;
    }

    /** @throws UncheckedIOException if the first image cannot be read and was not before */
    @Override
    public ImageShape shape() {
        try {
            return firstShape();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Of the first image that can be read. */
    ImageShape firstShape() throws IOException {
        if (first == null) {
            reading(0, (name, file, header) -> first = new ImageShape(CHANNELS, header.height(), header.width()));
        }
        return first;
    }

    @Override
    public void read(int index, byte[] destination) throws IOException {
        ImageShape shape = firstShape();
        framed(Framing.asIs(shape.height(), shape.width())).read(index, destination);
    }

    @Override
    public void read(int index, Framing framing, byte[] destination, SplittableRandom random) throws IOException {
        reading(index, (name, file, header) -> {
            Frame frame;
            try {
                frame = framing.frame(header.height(), header.width(), random);
            } catch (IllegalArgumentException e) {
                // Not the image's fault: to pass over it would hide a wrong setting.
                throw new WrongSizeException(name + " " + e.getMessage(), e);
            }
            Decoder.decode(name, file.bytes(), file.length(), header, frame, destination);
        });
    }

    private interface Use {
        void of(String name, FileBytes file, ImageHeader header) throws IOException;
    }

    private static final class WrongSizeException extends IOException {
        private static final long serialVersionUID = 1;

        WrongSizeException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** An image with its shorter side of so many pixels, or as it is where it is smaller. */
    record Decoded(int height, int width, byte[] pixels, boolean replaced) {}

    Decoded decoded(int index, int side) throws IOException {
        Decoded[] decoded = new Decoded[1];
        int used = reading(index, (name, file, header) -> {
            int shorter = Math.min(header.height(), header.width());
            int height = shorter <= side ? header.height() : Math.toIntExact((long) side * header.height() / shorter);
            int width = shorter <= side ? header.width() : Math.toIntExact((long) side * header.width() / shorter);
            byte[] pixels = new byte[3 * height * width];
            Frame frame = Frame.of(Area.of(header.height(), header.width()), height, width, false);
            Decoder.decode(name, file.bytes(), file.length(), header, frame, pixels);
            decoded[0] = new Decoded(height, width, pixels, false);
        });
        return used == index ? decoded[0] : new Decoded(decoded[0].height, decoded[0].width, decoded[0].pixels, true);
    }

    /** Where the split is, for names of what is derived from it. */
    String place() {
        return place;
    }

    void addBadImage(int index) {
        folder.badImages().add(files.get(index));
    }

    /** Uses the image, or the next with the same labels that is in order, and says which it was. */
    private int reading(int index, Use use) throws IOException {
        for (int tried = 0, i = index; tried < size(); tried++, i = (i + 1) % size()) {
            if (!labels.areSame(i, index)) {
                continue;
            }
            FileBytes file = FILE.get();
            String name = tree.display(files.get(i));
            // That a file cannot be read at all is never passed over: a disc that fails would go unnoticed.
            tree.read(files.get(i), file);
            try {
                use.of(name, file, folder.header(name, file));
                return i;
            } catch (WrongSizeException e) {
                throw e;
            } catch (IOException e) {
                if (folder.onBadImage() == BadImagePolicy.FAIL) {
                    throw new IOException(e.getMessage() + "; mend or remove it, or say data.onBadImage: skip", e);
                }
                addBadImage(i);
            }
        }
        String names = Arrays.stream(labels(index)).mapToObj(classNames::get).collect(Collectors.joining(" and "));
        throw new IOException("%s has no image of class %s that can be read: put some there"
                .formatted(place, names.isEmpty() ? "none" : names));
    }

    @Override
    public String contents(Path cache) throws IOException {
        var kept = new KeptText(cache.resolve("contents"));
        Optional<String> key = fingerprint()
                .map(stamps -> Sha256.of(Path.of("").toAbsolutePath() + "\n" + place + "\n" + labels + stamps));
        Optional<String> known = key.flatMap(kept::of);
        if (known.isPresent()) {
            return known.get().strip();
        }
        var digest = Sha256.digest();
        for (String line : lines()) {
            digest.update(line.getBytes(StandardCharsets.UTF_8));
        }
        String read = HexFormat.of().formatHex(digest.digest());
        key.ifPresent(name -> kept.keep(name, read + "\n"));
        return read;
    }

    /** What each file is: its label, length and checksum, its name below the split. Read side by side: there may be a million. */
    private String[] lines() throws IOException {
        String[] lines = new String[size()];
        try {
            IntStream.range(0, size()).parallel().forEach(i -> {
                try {
                    lines[i] = labels.text(i) + " " + tree.contents(files.get(i)) + " "
                            + files.get(i).substring(directory.length()) + "\n";
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return lines;
    }

    @Override
    public Optional<String> fingerprint() {
        var digest = Sha256.digest();
        try {
            for (String file : files) {
                digest.update((file + "\n" + tree.stamp(file) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            return Optional.empty(); // what cannot be told from another is not kept
        }
        if (folder.asShown()) {
            digest.update("as shown".getBytes(StandardCharsets.UTF_8));
        }
        if (labels.areSeveral()) { // which no name of a file tells, and by which bad images are replaced
            digest.update(labels.toString().getBytes(StandardCharsets.UTF_8));
        }
        return Optional.of(HexFormat.of().formatHex(digest.digest()));
    }
}
