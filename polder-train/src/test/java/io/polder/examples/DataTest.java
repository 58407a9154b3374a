package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.tensor.RandomStreams;
import io.polder.train.Batches;
import io.polder.train.ImageBatches;
import io.polder.train.TrainingData;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The example of docs/data.md, which {@link DocumentationTest} holds to what is here. */
class DataTest {
    static TrainingData byName(RandomStreams streams) throws IOException {
        try (var images = Datasets.named("fashion-mnist-2000").open(Optional.empty(), OpenOptions.DEFAULT)) {
            var pipeline = Pipeline.named("basic", images.natural());
            var splits =
                    images.splits(pipeline.training(), pipeline.evaluation(), SplitChoice.validation(400), streams);
            var train = new Loader(splits.train(), LoaderOptions.training(64, pipeline.augmentation()), streams);
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

    private static void assertImages(Batches batches, int images) {
        try (var loader = ((ImageBatches) batches).loader()) {
            assertThat(loader.images()).isEqualTo(images);
        }
    }
}
