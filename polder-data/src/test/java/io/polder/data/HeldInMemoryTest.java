package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the memory for decoded images is spent on, told by how many are decoded. */
final class HeldInMemoryTest {
    private static final int SIDE = 600;
    private static final ImageShape SHAPE = new ImageShape(3, SIDE, SIDE);
    private static final int FEW = 3;

    /** As many as there is room for, but one. */
    private static final int MANY = (int) (HeldInMemory.mostBytes() / SHAPE.bytes()) - 1;

    private static final Framing WHOLE = Framing.stretched(SIDE, SIDE);
    private static final Framing RANDOM = Framing.randomResizedCrop(SIDE, false);

    @TempDir
    private Path cache;

    private final Decoded train = new Decoded(MANY);
    private final Decoded test = new Decoded(FEW);

    /** Every time another crop, so none is kept; and their normalisation is known. */
    @Test
    void testImagesAreDecodedOnceWhereTrainingImagesAreNotKept() throws IOException {
        new NormalizationCache(cache).of(new Small(MANY), train.fingerprint(), WHOLE);
        Splits splits = splits(Optional.empty(), RANDOM, SplitChoice.test());
        readTwice(splits.evaluation());
        assertThat(test.decoded).hasValue(FEW);
    }

    @Test
    void validationImagesAreDecodedOnceHoweverManyAreNotEvaluated() throws IOException {
        var all = new Decoded(2 * MANY);
        try (var dataset = dataset(all, Optional.of(published()))) {
            Splits splits = dataset.splits(RANDOM, WHOLE, SplitChoice.validation(FEW), new RandomStreams(1));
            readTwice(splits.evaluation());
        }
        assertThat(all.decoded).hasValue(FEW);
    }

    @Test
    void aPartToTrainOnIsDecodedOnceHoweverLargeTheWhole() throws IOException {
        var all = new Decoded(2 * MANY);
        try (var dataset = dataset(all, Optional.of(published()))) {
            Splits splits =
                    dataset.splits(WHOLE, WHOLE, SplitChoice.test().withTrainingImages(FEW), new RandomStreams(1));
            readTwice(splits.train());
            readTwice(splits.evaluation());
        }
        assertThat(all.decoded).hasValue(FEW);
        assertThat(test.decoded).hasValue(FEW);
    }

    @Test
    void whatDoesNotFitBesideWhatIsKeptIsDecodedEachTime() throws IOException {
        Splits splits = splits(Optional.of(published()), WHOLE, SplitChoice.test());
        readTwice(splits.evaluation());
        assertThat(test.decoded).hasValue(2 * FEW);
    }

    private Splits splits(Optional<Normalization> published, Framing training, SplitChoice choice) throws IOException {
        try (var dataset = dataset(train, published)) {
            return dataset.splits(training, WHOLE, choice, new RandomStreams(1));
        }
    }

    private Dataset dataset(ImageSource train, Optional<Normalization> published) {
        return new Dataset("set", train, test, List.of("one"), published, cache);
    }

    private static Normalization published() {
        return new Normalization(new float[] {0.5f, 0.5f, 0.5f}, new float[] {0.2f, 0.2f, 0.2f});
    }

    private static void readTwice(ImageSource images) throws IOException {
        byte[] image = new byte[SHAPE.bytes()];
        for (int i = 0; i < 2 * FEW; i++) {
            images.read(i % FEW, image);
        }
    }

    /** Pictures that count how often one is decoded. */
    private record Decoded(int size, AtomicInteger decoded) implements ImageSource {
        Decoded(int size) {
            this(size, new AtomicInteger());
        }

        @Override
        public int classes() {
            return 1;
        }

        @Override
        public int label(int index) {
            return 0;
        }

        @Override
        public ImageShape shape() {
            return SHAPE;
        }

        @Override
        public void read(int index, byte[] destination) {
            decoded.incrementAndGet();
        }

        @Override
        public void read(int index, Framing framing, byte[] destination, SplittableRandom random) {
            decoded.incrementAndGet();
        }

        @Override
        public String contents(Path cache) {
            return "";
        }

        @Override
        public Optional<String> fingerprint() {
            return Optional.of("pictures");
        }
    }

    /** As many images, of one pixel each. */
    private record Small(int size) implements ImageSource {
        @Override
        public ImageShape shape() {
            return new ImageShape(3, 1, 1);
        }

        @Override
        public int classes() {
            return 1;
        }

        @Override
        public int label(int index) {
            return 0;
        }

        @Override
        public void read(int index, byte[] destination) {}
    }
}
