package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.polder.data.Dataset;
import io.polder.data.Framing;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.Normalization;
import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.data.Splits;
import io.polder.data.augment.Augmentation;
import io.polder.data.load.Pipeline;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DatasetsTest {
    private static final RandomStreams STREAMS = new RandomStreams(7);

    @TempDir
    private Path directory;

    @Test
    void theBundledImagesNeedNoPathAndAreBalancedAndWhole() throws IOException {
        try (var fashion = bundled()) {
            assertThat(fashion.train().size()).isEqualTo(2_000);
            assertThat(fashion.test().size()).isEqualTo(10_000);
            assertThat(fashion.natural()).isEqualTo(new ImageShape(1, 28, 28));
            assertThat(fashion.classNames()).hasSize(10).startsWith("T-shirt").endsWith("ankle_boot");
            assertThat(classes(fashion.train().framed(Framing.asIs(28, 28)))).containsOnly(200);
            assertThat(classes(fashion.test().framed(Framing.asIs(28, 28)))).containsOnly(1_000);
        }
    }

    @Test
    void testSplitsAreAllTrainingImagesAndTheTestSet() throws IOException {
        try (var fashion = bundled()) {
            var splits = splits(fashion, Pipeline.named("pad-crop", fashion.natural()), SplitChoice.test());
            assertThat(splits.train().size()).isEqualTo(2_000);
            assertThat(splits.evaluation().size()).isEqualTo(10_000);
            assertThat(splits.normalization()).isEqualTo(Normalization.FASHION_MNIST);
        }
    }

    @Test
    void validationImagesAreTheSameWhateverPartIsTrainedOn() throws IOException {
        try (var fashion = bundled()) {
            var pipeline = Pipeline.named("none", fashion.natural());
            var all = splits(fashion, pipeline, SplitChoice.validation(500));
            var part = splits(fashion, pipeline, SplitChoice.validation(500).withTrainingImages(300));
            assertThat(all.train().size()).isEqualTo(1_500);
            assertThat(part.train().size()).isEqualTo(300);
            assertThat(classes(part.train())).containsOnly(30);
            assertThat(classes(all.evaluation())).containsOnly(50);
            byte[] one = new byte[28 * 28];
            byte[] other = new byte[28 * 28];
            for (int i = 0; i < 500; i++) {
                all.evaluation().read(i, one);
                part.evaluation().read(i, other);
                assertThat(other).isEqualTo(one);
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> splits(
                            fashion, pipeline, SplitChoice.validation(500).withTrainingImages(1_501)))
                    .withMessage("trainingImages is 1501: it must be 1 to 1500");
        }
    }

    /** Under a pipeline that crops at random for training, the images held back are framed for evaluation. */
    @Test
    void validationImagesGetTheEvaluationFraming() throws IOException {
        try (var fashion = bundled()) {
            var pipeline = new Pipeline(
                    "test",
                    Framing.randomResizedCrop(14, true),
                    Augmentation.NONE,
                    Framing.centred(28, 14),
                    new ImageShape(1, 14, 14));
            var splits = splits(fashion, pipeline, SplitChoice.validation(100));
            var raw = splits(fashion, Pipeline.named("none", fashion.natural()), SplitChoice.validation(100));
            byte[] framed = new byte[14 * 14];
            byte[] whole = new byte[28 * 28];
            for (int i = 0; i < 100; i++) {
                splits.evaluation().read(i, framed);
                raw.evaluation().read(i, whole);
                for (int y = 0; y < 14; y++) {
                    assertThat(Arrays.copyOfRange(framed, 14 * y, 14 * y + 14))
                            .isEqualTo(Arrays.copyOfRange(whole, 28 * (y + 7) + 7, 28 * (y + 7) + 21));
                }
            }
        }
    }

    @Test
    void cifarIsOpenedByName() throws IOException {
        for (int batch = 1; batch <= 5; batch++) {
            Files.write(directory.resolve("data_batch_" + batch + ".bin"), new byte[2 * 3073]);
        }
        Files.write(directory.resolve("test_batch.bin"), new byte[3073]);
        try (var cifar = Datasets.named("cifar10").open(directory, OpenOptions.DEFAULT)) {
            assertThat(cifar.train().size()).isEqualTo(10);
            assertThat(cifar.classNames()).hasSize(10);
            assertThat(splits(cifar, Pipeline.named("none", cifar.natural()), SplitChoice.test())
                            .normalization())
                    .isEqualTo(Normalization.CIFAR10);
        }
        Files.write(directory.resolve("train.bin"), new byte[3 * 3074]);
        Files.write(directory.resolve("test.bin"), new byte[3074]);
        try (var cifar = Datasets.named("cifar100").open(directory, OpenOptions.DEFAULT)) {
            assertThat(cifar.classNames()).hasSize(100).doesNotHaveDuplicates().isSorted();
        }
        try (var cifar = Datasets.named("cifar100-coarse").open(directory, OpenOptions.DEFAULT)) {
            assertThat(cifar.classNames()).hasSize(20).isSorted();
        }
    }

    @Test
    void withoutAPathTheKnownPlacesAreNamed() {
        var known = Datasets.named("cifar100");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> known.open(Optional.empty(), OpenOptions.DEFAULT))
                .withMessageStartingWith("no data was given for cifar100 and none is at ")
                .withMessageEndingWith(
                        "give its path, cifar-100-binary.tar.gz (the binary version of https://www.cs.toronto.edu/~kriz/cifar.html,"
                                + " MD5 03b5dce01913d631647c71ecec9e9cb8) or the directory it was unpacked in");
    }

    @Test
    void imagesThatComeWithPolderTakeNoPath() {
        var known = Datasets.named("fashion-mnist-2000");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> known.open(Optional.of(directory), OpenOptions.DEFAULT))
                .withMessage("fashion-mnist-2000 comes with Polder, and " + directory
                        + " was given: leave that out, or name a set of your own, as with"
                        + " -s data.name=image-folder --data " + directory);
    }

    @Test
    void choicesOfNoImagesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SplitChoice.validation(0))
                .withMessage("validationImages is 0: it must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SplitChoice.test().withTrainingImages(0))
                .withMessage("trainingImages is 0: it must be at least 1");
    }

    private static Dataset bundled() throws IOException {
        return Datasets.named("fashion-mnist-2000").open(Optional.empty(), OpenOptions.DEFAULT);
    }

    private static int[] classes(ImageSource images) {
        int[] classes = new int[images.classes()];
        for (int i = 0; i < images.size(); i++) {
            classes[images.label(i)]++;
        }
        return classes;
    }

    private static Splits splits(Dataset dataset, Pipeline pipeline, SplitChoice choice) throws IOException {
        return dataset.splits(pipeline.training(), pipeline.evaluation(), choice, STREAMS);
    }
}
