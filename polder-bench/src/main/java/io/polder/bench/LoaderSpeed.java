package io.polder.bench;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.Normalization;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Pipeline;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.Architectures;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Images;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.Arrays;
import java.util.Locale;

/**
 * Whether the loader is ever what training waits for. First alone, on 50,000 images of CIFAR's shape: images for each second
 * of processor time, so that other work on the machine does not count. Then under a training of WRN-16-4, in turns with the
 * same steps on one batch over and over.
 *
 * <p>Arguments: the pipeline (basic), rounds of training (20; 0 leaves it out), threads of the engine (1).
 */
final class LoaderSpeed {
    private static final ImageShape SHAPE = new ImageShape(3, 32, 32);
    private static final int IMAGES = 50_000;
    private static final int BATCH = 128;
    private static final int STEPS = 2;
    private static final int EPOCHS = 9;

    private static final RandomStreams STREAMS = new RandomStreams(1);

    public static void main(String[] arguments) {
        String name = arguments.length > 0 ? arguments[0] : "basic";
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        Pipeline pipeline = Pipeline.named(name, SHAPE);
        ImageSource images = images().framed(pipeline.training());
        var options = LoaderOptions.training(BATCH, pipeline.augmentation()).withThreads(1);
        alone(images, options, name);
        if (rounds > 0) {
            Engine.setThreads(threads);
            training(images, options, pipeline.shape(), rounds);
        }
    }

    private static void alone(ImageSource images, LoaderOptions options, String name) {
        try (var loader = new Loader(images, options, STREAMS)) {
            System.out.printf(
                    Locale.ROOT,
                    "Loader alone, %s on 32x32, one worker: %,.0f images for each second of processor time%n",
                    name,
                    imagesPerProcessorSecond(loader, EPOCHS));
        }
    }

    /** The median over epochs, after a third of them to warm up. */
    static double imagesPerProcessorSecond(Loader loader, int epochs) {
        double[] speeds = new double[epochs];
        for (int epoch = 0; epoch < epochs; epoch++) {
            long started = CpuClock.nanoseconds();
            long served = 0;
            try (var batches = loader.epoch(epoch)) {
                for (Batch batch : batches) {
                    served += batch.size();
                }
            }
            speeds[epoch] = served / ((CpuClock.nanoseconds() - started) * 1e-9);
        }
        return Median.of(Arrays.copyOfRange(speeds, epochs / 3, epochs));
    }

    private static void training(ImageSource images, LoaderOptions options, ImageShape shape, int rounds) {
        var served = new Times(rounds);
        var repeated = new Times(rounds);
        try (var run = Scope.open();
                var optimizer = new Sgd(0.9, true);
                var loader = new Loader(images, options, STREAMS);
                var other = new Loader(images, options, STREAMS)) {
            var network = Architectures.named("wrn-16-4").build(shape.height(), 10, STREAMS);
            try (var parameters = FlatParameters.of(network.parametersByName());
                    var pass = new NetworkPass(
                            network, parameters, new SoftCrossEntropy(0), PassOptions.l2(5e-4), STREAMS);
                    var kept = other.epoch(0)) {
                Batch one = kept.iterator().next();
                var step = new Step(pass, parameters, optimizer);
                step.on(one);
                for (int round = 0; round < rounds; round++) {
                    // From opening the epoch to closing it: what the workers do ahead is counted where it is done.
                    served.start();
                    try (var epoch = loader.epoch(round)) {
                        var batches = epoch.iterator();
                        for (int i = 0; i < STEPS; i++) {
                            step.on(batches.next());
                        }
                    }
                    served.stop(round);
                    repeated.start();
                    for (int i = 0; i < STEPS; i++) {
                        step.on(one);
                    }
                    repeated.stop(round);
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "A step of WRN-16-4, batch %d, medians of %d rounds of %d in turns, from the loader and on one batch:%n",
                BATCH,
                rounds,
                STEPS);
        print("by the clock", Median.of(served.wall), Median.of(repeated.wall));
        print("of processor", Median.of(served.processor), Median.of(repeated.processor));
    }

    private static void print(String what, double served, double repeated) {
        System.out.printf(
                Locale.ROOT,
                "  %s %8.1f ms %8.1f ms  %+.2f %%%n",
                what,
                served,
                repeated,
                100 * (served / repeated - 1));
    }

    /** Milliseconds a step, for each round: by the clock, and of processor time, which other work does not change. */
    private static final class Times {
        final double[] wall;
        final double[] processor;
        private long wallStart;
        private long processorStart;

        Times(int rounds) {
            wall = new double[rounds];
            processor = new double[rounds];
        }

        void start() {
            wallStart = System.nanoTime();
            processorStart = CpuClock.nanoseconds();
        }

        void stop(int round) {
            wall[round] = (System.nanoTime() - wallStart) * 1e-6 / STEPS;
            processor[round] = (CpuClock.nanoseconds() - processorStart) * 1e-6 / STEPS;
        }
    }

    private record Step(NetworkPass pass, FlatParameters parameters, Sgd optimizer) {
        void on(Batch batch) {
            ImageShape shape = batch.shape();
            try (var scope = Scope.open()) {
                var images = Images.normalized(
                        batch.pixels(),
                        batch.size(),
                        shape.channels(),
                        shape.height(),
                        shape.width(),
                        Normalization.CIFAR10.mean(),
                        Normalization.CIFAR10.deviation(),
                        Device.CPU);
                var targets = Images.targets(batch.targets(), batch.size(), batch.classes(), Device.CPU);
                GradientScheme.standard().computeGradient(pass.on(images, targets, 0), parameters, 0);
                optimizer.step(parameters, 0.01);
            }
        }
    }

    private static ImagesInMemory images() {
        byte[] pixels = new byte[IMAGES * SHAPE.bytes()];
        STREAMS.random("pixels").nextBytes(pixels);
        int[] labels = new int[IMAGES];
        Arrays.setAll(labels, i -> i % 10);
        return new ImagesInMemory(SHAPE, 10, pixels, labels);
    }
}
