package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.Normalization;
import io.polder.data.augment.Augmentation;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.nn.BatchNorm2d;
import io.polder.nn.Convolution;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Images;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Classification;
import io.polder.train.Evaluation;
import io.polder.train.ImageBatches;
import io.polder.train.Trainer;
import io.polder.train.TrainingData;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.util.List;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

/** The examples of docs/java.md, which {@link DocumentationTest} holds to what is here. */
class OwnLoopTest {
    /** A network of one's own: layers in the constructor, arithmetic in forward. */
    static final class TinyNetwork extends Network {
        private final Conv2dImpl convolution;
        private final BatchNorm2d norm;
        private final LinearImpl head;

        TinyNetwork(int channels, int classes, RandomStreams streams) {
            convolution = register_module("convolution", Convolution.same(channels, 16, 3, 2));
            norm = register_module("norm", new BatchNorm2d(16));
            head = register_module("head", new LinearImpl(16, classes));
            Initialization.kaiming(this, streams);
        }

        @Override
        public Tensor forward(Tensor images, Forward forward) {
            Tensor x = torch.relu(norm.forward(convolution.forward(images), forward));
            return head.forward(x.mean(2, 3));
        }
    }

    static double trainByHand(ImageSource images, Network network, RandomStreams streams) throws IOException {
        var normalization = Normalization.of(images);
        var mean = normalization.mean();
        var deviation = normalization.deviation();
        var shape = images.shape();

        var scheme = GradientScheme.gradientNormPenalty(0.1, 0.8);
        var learningRate = Schedule.cosine(0.1, 200);
        var clip = new ClipByGlobalNorm(5);
        long step = 0;
        try (var loader = new Loader(images, LoaderOptions.training(32, Augmentation.NONE), streams);
                var parameters = FlatParameters.of(network.parametersByName());
                var pass =
                        new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
                var optimizer = new Sgd(0.9, true)) {
            for (int epoch = 0; epoch < 10; epoch++) {
                try (var batches = loader.epoch(epoch)) {
                    for (Batch batch : batches) {
                        try (var scope = Scope.open()) {
                            var x = Images.normalized(
                                    batch.pixels(),
                                    batch.size(),
                                    shape.channels(),
                                    shape.height(),
                                    shape.width(),
                                    mean,
                                    deviation,
                                    Device.CPU);
                            var y = Images.targets(batch.targets(), batch.size(), batch.classes(), Device.CPU);

                            var gradient = scheme.computeGradient(pass.on(x, y, step), parameters, step);
                            clip.apply(parameters, gradient.norm());
                            optimizer.step(parameters, learningRate.at(step));
                        }
                        step++;
                    }
                }
            }
            var examples = new ImageBatches(loader, normalization);
            return Evaluation.of(network, new Classification(0), examples, Device.CPU)
                    .figure(Classification.ERROR);
        }
    }

    static double trainByTrainer(ImageSource images, ImageSource testImages, Network network, RandomStreams streams)
            throws IOException {
        try (var train = new Loader(images, LoaderOptions.training(32, Augmentation.NONE), streams);
                var test = new Loader(testImages, LoaderOptions.evaluation(500), streams)) {
            var plan = new TrainingPlan(
                    10, // epochs
                    1, // evaluate after each
                    () -> GradientScheme.gradientNormPenalty(0.1, 0.8),
                    new Classification(0),
                    PassOptions.l2(1e-3),
                    () -> new Sgd(0.9, true),
                    Schedule.cosine(0.1, 10 * train.batchesPerEpoch()),
                    new ClipByGlobalNorm(5));
            var data = TrainingData.ofImages(train, test, Normalization.of(images));
            try (var trainer = new Trainer(network, plan, data, Device.CPU, streams, List.of())) {
                return trainer.run().test().orElseThrow().figure(Classification.ERROR);
            }
        }
    }

    @Test
    void bothWaysOfTheDocumentationLearn() throws IOException {
        var images = stripes();
        var streams = new RandomStreams(1);
        try (var run = Scope.open()) {
            assertThat(trainByHand(images, new TinyNetwork(1, 2, streams), streams))
                    .isLessThan(0.05);
            assertThat(trainByTrainer(images, images, new TinyNetwork(1, 2, streams), streams))
                    .isLessThan(0.05);
        }
    }

    /** Upright stripes are class 0, level ones class 1, in noise. */
    private static ImagesInMemory stripes() {
        var random = new RandomStreams(2).random("stripes");
        byte[] pixels = new byte[640 * 64];
        int[] labels = new int[640];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = i % 2;
            int offset = random.nextInt(2);
            for (int p = 0; p < 64; p++) {
                int along = labels[i] == 0 ? p % 8 : p / 8;
                pixels[64 * i + p] = (byte) (random.nextInt(120) + ((along + offset) % 2) * 100);
            }
        }
        return new ImagesInMemory(new ImageShape(1, 8, 8), 2, pixels, labels);
    }
}
