package io.polder.data;

import io.polder.files.Sha256;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A data set that was opened: the pictures to train on and to test with, and what is known of them. {@link Datasets} opens
 * them by name. Any number of threads may use one; closing it closes the files behind it.
 */
public final class Dataset implements AutoCloseable {
    private final String name;
    private final ImageSource train;
    private final ImageSource test;
    private final List<String> classNames;
    private final Optional<Normalization> published;
    private final Path cache;
    private final Supplier<Set<String>> badImages;
    private final List<AutoCloseable> files = new ArrayList<>();

    // Guarded by this.
    private final Map<ImageSource, HeldInMemory> held = new HashMap<>();
    private long heldBytes;
    private String contents;
    private boolean severalLabels;

    /** A set of images of one size, that is all in memory. */
    Dataset(
            String name,
            ImageSource train,
            ImageSource test,
            List<String> classNames,
            Optional<Normalization> published,
            Path cache) {
        this(name, train, test, classNames, published, cache, Collections::emptySet);
    }

    Dataset(
            String name,
            ImageSource train,
            ImageSource test,
            List<String> classNames,
            Optional<Normalization> published,
            Path cache,
            Supplier<Set<String>> badImages) {
        this.name = Objects.requireNonNull(name, "name");
        this.train = Objects.requireNonNull(train, "train");
        this.test = Objects.requireNonNull(test, "test");
        this.classNames = List.copyOf(classNames);
        this.published = published;
        this.cache = cache;
        this.badImages = badImages;
        if (train.classes() != this.classNames.size() || test.classes() != this.classNames.size()) {
            throw new IllegalArgumentException("classNames has %d names: it must have one for each of %d classes"
                    .formatted(this.classNames.size(), train.classes()));
        }
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

    public Dataset withSeveralLabels() {
        severalLabels = true;
        return this;
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

    /** The figures everybody uses for this data set, where there are any. */
    public Optional<Normalization> publishedNormalization() {
        return published;
    }

    /** The files that could not be read so far and were replaced, under {@link OnBadImage#SKIP}. */
    public Set<String> badImages() {
        return badImages.get();
    }

    /**
     * What a training needs. Validation images are chosen by the streams' seed alone, each class in proportion, and the
     * same whatever part of the others is trained on.
     *
     * <p>The normalisation is the published one, or else that of all training images (at most 50,000, evenly spread)
     * under the evaluation framing: computed once and kept in the cache directory under the fingerprint of the pictures.
     */
    public Splits splits(Pipeline pipeline, SplitChoice choice, RandomStreams streams) throws IOException {
        int heldBack = choice.validationImages();
        int trainedOn = choice.trainingImages().orElse(Math.max(0, train.size() - heldBack));
        ImageSource training = framed(train, pipeline.training(), trainedOn);
        ImageSource evaluation;
        if (choice.evaluateOn() == SplitChoice.EvaluateOn.VALIDATION) {
            Validation split =
                    Validation.split(training, framed(train, pipeline.evaluation(), heldBack), heldBack, streams);
            training = split.train();
            evaluation = split.validation();
        } else {
            evaluation = framed(test, pipeline.evaluation(), test.size());
        }
        if (choice.trainingImages().isPresent() && choice.trainingImages().getAsInt() != training.size()) {
            training = Validation.part(training, choice.trainingImages().getAsInt(), streams);
        }
        return new Splits(training, pipeline.augmentation(), evaluation, normalization(pipeline));
    }

    private Normalization normalization(Pipeline pipeline) throws IOException {
        if (published.isPresent()) {
            return published.get();
        }
        return new NormalizationCache(cache)
                .of(measured(pipeline.evaluation()), train.fingerprint(), pipeline.evaluation());
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
        if (heldBytes + there.bytesFor(read) > HeldInMemory.mostBytes()) {
            return images;
        }
        heldBytes += there.bytesFor(read);
        there.book(read);
        held.put(framed, there);
        return there;
    }

    Dataset closing(AutoCloseable file) {
        files.add(file);
        return this;
    }

    @Override
    public void close() throws IOException {
        for (AutoCloseable file : files) {
            try {
                file.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
