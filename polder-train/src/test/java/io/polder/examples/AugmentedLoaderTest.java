package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import io.polder.data.augment.AutoAugment;
import io.polder.data.augment.CutMix;
import io.polder.data.augment.Cutout;
import io.polder.data.augment.EitherOf;
import io.polder.data.augment.Mixup;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.augment.PadCropFlip.Padding;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.tensor.RandomStreams;
import org.junit.jupiter.api.Test;

/** The example of docs/augmentation.md, which {@link DocumentationTest} holds to what is here. */
class AugmentedLoaderTest {
    static LoaderOptions options() {
        var cutout = new PadCropFlip(4, Padding.ZERO, true).then(new Cutout(16));
        var mixing = new EitherOf(new CutMix(1), 0.5, new Mixup(0.2), 0.3); // and 0.2 are left as they are
        return LoaderOptions.training(128, cutout).withMixing(mixing);
    }

    static LoaderOptions pyramidNet() {
        var learned = new PadCropFlip(4, Padding.ZERO, true).then(AutoAugment.CIFAR10);
        return LoaderOptions.training(128, learned).withMixing(new CutMix(1).withProbability(0.5));
    }

    @Test
    void theOptionsOfTheDocumentationServeMixedBatches() {
        assertThat(softTargets(options())).isPositive();
        assertThat(softTargets(pyramidNet())).isPositive();
    }

    private static int softTargets(LoaderOptions options) {
        var streams = new RandomStreams(1);
        var shape = new ImageShape(3, 32, 32);
        byte[] pixels = new byte[300 * shape.bytes()];
        streams.random("pixels").nextBytes(pixels);
        int[] labels = streams.random("labels").ints(300, 0, 10).toArray();
        int soft = 0;
        try (var loader = new Loader(new ImagesInMemory(shape, 10, pixels, labels), options, streams);
                var batches = loader.epoch(0)) {
            for (Batch batch : batches) {
                for (var targets = batch.targets(); targets.hasRemaining(); ) {
                    float probability = targets.get();
                    soft += probability > 0 && probability < 1 ? 1 : 0;
                }
            }
        }
        return soft;
    }
}
