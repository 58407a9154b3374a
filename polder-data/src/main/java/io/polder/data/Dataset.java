package io.polder.data;

import io.polder.files.Sha256;
import io.polder.tensor.RandomStreams;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A data set that was opened: the pictures to train on and to test with, and what is known of them. A {@link KnownDataset} opens
 * one. Any number of threads may use it; closing it closes the files behind it.
 */
public final class Dataset implements Closeable {
    private final String name;
    private final ImageSource train;
    private final ImageSource test;
    private final List<String> classNames;
    private final Optional<Normalization> published;
    private final Path cache;
    private boolean severalLabels;
    private Set<String> badImages = Set.of();
    private List<Closeable> files = List.of();

    // Guarded by this.
    private final Map<ImageSource, HeldInMemory> held = new HashMap<>();
    private long heldBytes;
    private String contents;

    /**
     * @param classNames by label
     * @param published the figures everybody uses for this data set, where there are any
     * @param cache the directory for what is computed once
     */
    public Dataset(
            String name,
            ImageSource train,
            ImageSource test,
            List<String> classNames,
            Optional<Normalization> published,
            Path cache) {
        this.name = Objects.requireNonNull(name, "name");
        this.train = Objects.requireNonNull(train, "train");
        this.test = Objects.requireNonNull(test, "test");
        this.classNames = List.copyOf(classNames);
        this.published = published;
        this.cache = cache;
        if (train.classes() != this.classNames.size() || test.classes() != this.classNames.size()) {
            throw new IllegalArgumentException("classNames has %d names: it must have one for each of %d classes"
                    .formatted(this.classNames.size(), train.classes()));
        }
    }

    /** Of images that may be of several classes at once, or of none. */
    public Dataset withSeveralLabels() {
        severalLabels = true;
        return this;
    }

    /**
     * Of images that lie in files.
     *
     * @param badImages gets the names of those that cannot be read, while they are
     * @param files to close with it
     */
    public Dataset ofFiles(Set<String> badImages, List<Closeable> files) {
        this.badImages = badImages;
        this.files = files;
        return this;
    }

    public String name() {
        return name;
    }

    public ImageSource train() {
        return train;
    }

    public ImageSource test() {
        return test;
    }

    /** The shape of the images; where they differ in size, that of the first. */
    public ImageShape natural() {
        return train.shape();
    }

    /** By label. */
    public List<String> classNames() {
        return classNames;
    }

    /** Whether an image may be of several classes at once, or of none. */
    public boolean hasSeveralLabels() {
        return severalLabels;
    }

    /**
     * What is in it, in 64 hexadecimal digits: the same wherever it lies and however it is packed, another when an image, a label or a
     * class is. Images in a directory are read for it, once; then it is known by their names, sizes and times.
     */
    public synchronized String contents() throws IOException {
        if (contents == null) {
            contents = Sha256.of(
                    train.contents(cache) + "\n" + test.contents(cache) + "\n" + String.join("\n", classNames));
        }
        return contents;
    }

    /** The files that could not be read so far and were replaced, under {@link BadImagePolicy#SKIP}. */
    public Set<String> badImages() {
        return badImages;
    }

    /**
     * What a training needs. Validation images are chosen by the streams' seed alone, each class in proportion, and the
     * same whatever part of the others is trained on.
     *
     * <p>The normalisation is the published one, or else that of all training images (at most 50,000, evenly spread)
     * under the evaluation framing: computed once and kept in the cache directory under the fingerprint of the pictures.
     *
     * @param training how training images get their size
     * @param evaluation how test and validation images do
     */
    public Splits splits(Framing training, Framing evaluation, SplitChoice choice, RandomStreams streams)
            throws IOException {
        int heldBack = choice.validationImages();
        int trainedOn = choice.trainingImages().orElse(Math.max(0, train.size() - heldBack));
        ImageSource trained = framed(train, training, trainedOn);
        ImageSource evaluated;
        if (heldBack > 0) {
            Validation split = Validation.split(trained, framed(train, evaluation, heldBack), heldBack, streams);
            trained = split.train();
            evaluated = split.validation();
        } else {
            evaluated = framed(test, evaluation, test.size());
        }
        if (choice.trainingImages().isPresent() && choice.trainingImages().getAsInt() != trained.size()) {
            trained = Validation.part(trained, choice.trainingImages().getAsInt(), streams);
        }
        return new Splits(trained, evaluated, normalization(evaluation));
    }

    private Normalization normalization(Framing framing) throws IOException {
        return published.isPresent()
                ? published.get()
                : new NormalizationCache(cache).of(measured(framing), train.fingerprint(), framing);
    }

    /** For one pass: nothing is kept for it alone, but what is kept anyway is not decoded twice. */
    private synchronized ImageSource measured(Framing framing) {
        ImageSource images = train.framed(framing);
        HeldInMemory there = held.get(images);
        return there != null && there.keepsAll() ? there : images;
    }

    /**
     * What is the same each time and small is decoded once, for whoever asks.
     *
     * @param read how many of the images are going to be: for them there must be room, not for the others
     */
    private synchronized ImageSource framed(ImageSource pictures, Framing framing, int read) {
        ImageSource images = pictures.framed(framing);
        if (!(images instanceof FramedPictures framed) || framing.isRandom()) {
            return images;
        }
        HeldInMemory there = held.getOrDefault(framed, new HeldInMemory(images));
        long more = there.bytesFor(read);
        if (heldBytes + more > HeldInMemory.mostBytes()) {
            return images;
        }
        heldBytes += more;
        there.book(read);
        held.put(framed, there);
        return there;
    }

    @Override
    public void close() throws IOException {
        for (Closeable file : files) {
            file.close();
        }
    }
}
