package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import io.polder.data.Normalization;
import io.polder.data.augment.BatchAugmentation;
import io.polder.data.augment.CutMix;
import io.polder.data.augment.Cutout;
import io.polder.data.augment.Mixup;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.ResidualNetwork;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Images;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** F11: from the loader that mixes to the loss that takes probabilities. */
class MixedTargetsTest {
    private static final ImageShape SHAPE = new ImageShape(1, 8, 8);
    private static final int CLASSES = 3;

    @Test
    void f11MixedBatchesTrainWithAFiniteLossAndTheSameBitsEachTime() throws IOException {
        List<Double> plain = losses(BatchAugmentation.NONE, 1);
        for (var mixing : List.of(new CutMix(1), new Mixup(1))) {
            List<Double> losses = losses(mixing, 1);
            // The last batch has a single image.
            assertThat(losses).hasSize(6).allMatch(loss -> loss > 0 && Double.isFinite(loss));
            assertThat(losses).isNotEqualTo(plain).isEqualTo(losses(mixing, 3));
        }
    }

    private static List<Double> losses(BatchAugmentation mixing, int threads) throws IOException {
        var streams = new RandomStreams(4);
        var images = noise(streams);
        var normalization = Normalization.of(images);
        var augmentation = new PadCropFlip(1, PadCropFlip.Padding.ZERO, true).then(new Cutout(4));
        var options = LoaderOptions.training(8, augmentation).withMixing(mixing).withThreads(threads);
        var scheme = GradientScheme.gradientNormPenalty(0.1, 0.8);
        List<Double> losses = new ArrayList<>();
        try (var run = Scope.open();
                var loader = new Loader(images, options, streams)) {
            var network = new ResidualNetwork(1, List.of(8, 16), 1, CLASSES, streams);
            try (var parameters = FlatParameters.of(network.parametersByName());
                    var pass = new NetworkPass(
                            network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
                    var optimizer = new Sgd(0.9, true);
                    var batches = loader.epoch(0)) {
                for (Batch batch : batches) {
                    try (var scope = Scope.open()) {
                        var x = Images.normalized(
                                batch.pixels(),
                                batch.size(),
                                1,
                                8,
                                8,
                                normalization.mean(),
                                normalization.deviation(),
                                Device.CPU);
                        var y = Images.targets(batch.targets(), batch.size(), CLASSES, Device.CPU);
                        int step = losses.size();
                        losses.add(scheme.computeGradient(pass.on(x, y, step), parameters, step)
                                .loss());
                        optimizer.step(parameters, 0.01);
                    }
                }
            }
        }
        return losses;
    }

    private static ImagesInMemory noise(RandomStreams streams) {
        byte[] pixels = new byte[41 * SHAPE.bytes()];
        var random = streams.random("noise");
        random.nextBytes(pixels);
        return new ImagesInMemory(
                SHAPE, CLASSES, pixels, random.ints(41, 0, CLASSES).toArray());
    }
}
