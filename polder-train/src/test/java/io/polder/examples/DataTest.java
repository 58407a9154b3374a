package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.Cifar;
import io.polder.data.Datasets;
import io.polder.data.Loader;
import io.polder.data.LoaderOptions;
import io.polder.data.Normalization;
import io.polder.data.OpenOptions;
import io.polder.data.Pipeline;
import io.polder.data.SplitChoice;
import io.polder.data.Validation;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.augment.PadCropFlip.Padding;
import io.polder.tensor.RandomStreams;
import io.polder.train.Batches;
import io.polder.train.ImageBatches;
import io.polder.train.TrainingData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/data.md, which {@link DocumentationTest} holds to what is here. */
class DataTest {
    @TempDir
    private Path folder;

    static TrainingData cifar10(Path path, RandomStreams streams) throws IOException {
        var images = Cifar.ten(path, Cifar.Split.TRAIN);
        var split = Validation.split(images, images.size() / 10, streams);
        var augmentation = new PadCropFlip(4, Padding.REFLECT, true);
        var train = new Loader(split.train(), LoaderOptions.training(128, augmentation), streams);
        var validation = new Loader(split.validation(), LoaderOptions.evaluation(500), streams);
        return TrainingData.ofImages(train, validation, Normalization.CIFAR10);
    }

    static TrainingData byName(RandomStreams streams) throws IOException {
        try (var images = Datasets.named("fashion-mnist-2000").open(Optional.empty(), OpenOptions.DEFAULT)) {
            var pipeline = Pipeline.named("basic", images.natural());
            var splits = images.splits(pipeline, SplitChoice.validation(400), streams);
            var train = new Loader(splits.train(), LoaderOptions.training(64, splits.augmentation()), streams);
            var validation = new Loader(splits.evaluation(), LoaderOptions.evaluation(500), streams);
            return TrainingData.ofImages(train, validation, splits.normalization());
        }
    }

    @Test
    void theExampleByNameWorks() throws IOException {
        TrainingData data = byName(new RandomStreams(1));
        assertImages(data.train(), 1600);
        assertImages(data.test(), 400);
    }

    @Test
    void theExampleOfTheDocumentationWorks() throws IOException {
        for (int batch = 1; batch <= 5; batch++) {
            // Four images of class 0.
            Files.write(folder.resolve("data_batch_" + batch + ".bin"), new byte[4 * 3073]);
        }
        TrainingData data = cifar10(folder, new RandomStreams(1));
        assertImages(data.train(), 18);
        assertImages(data.test(), 2);
    }

    private static void assertImages(Batches batches, int images) {
        try (var loader = ((ImageBatches) batches).loader()) {
            assertThat(loader.images()).isEqualTo(images);
        }
    }
}
