package io.polder.bench;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import io.polder.data.augment.AutoAugment;
import io.polder.data.augment.CutMix;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.augment.PadCropFlip.Padding;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.tensor.RandomStreams;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Images a second that a loader of one worker delivers on images of CIFAR's size, in batches of 128: with pad-crop-flip, and
 * with AutoAugment and CutMix besides. {@code polder-bench/peers/torchvision_autoaugment.py} does the latter on Pillow.
 *
 * <p>Arguments: rounds (15), images (20,000).
 */
final class AugmentationSpeed {
    private static final ImageShape SHAPE = new ImageShape(3, 32, 32);
    private static final int BATCH = 128;
    private static final int CLASSES = 10;

    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
        int images = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20_000;
        var basic = new PadCropFlip(4, Padding.ZERO, true);
        Map<String, LoaderOptions> pipelines = new LinkedHashMap<>();
        pipelines.put("basic", LoaderOptions.training(BATCH, basic));
        pipelines.put("basic, AutoAugment", LoaderOptions.training(BATCH, basic.then(AutoAugment.CIFAR10)));
        pipelines.put(
                "basic, AutoAugment, CutMix",
                LoaderOptions.training(BATCH, basic.then(AutoAugment.CIFAR10)).withMixing(new CutMix(1)));
        double[][] perSecond = new double[pipelines.size()][rounds];
        var source = source(images);
        int warmUp = 3;
        for (int round = -warmUp; round < rounds; round++) {
            int pipeline = 0;
            for (LoaderOptions options : pipelines.values()) {
                double speed = speed(source, options.withThreads(1), round + warmUp);
                if (round >= 0) {
                    perSecond[pipeline][round] = speed;
                }
                pipeline++;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "Polder, one worker, 32 x 32, medians of %d interleaved over %d images:%n",
                rounds,
                images);
        int pipeline = 0;
        for (String name : pipelines.keySet()) {
            System.out.printf(Locale.ROOT, "  %-28s %,9.0f images/s%n", name, Median.of(perSecond[pipeline++]));
        }
    }

    private static double speed(ImagesInMemory source, LoaderOptions options, int epoch) {
        long started = System.nanoTime();
        int served = 0;
        try (var loader = new Loader(source, options, new RandomStreams(1));
                var batches = loader.epoch(epoch)) {
            for (Batch batch : batches) {
                served += batch.size();
            }
        }
        return served / ((System.nanoTime() - started) * 1e-9);
    }

    /** Waves and some noise, as in the peer: neither flat, which some operations leave alone, nor noise only. */
    private static ImagesInMemory source(int images) {
        byte[] pixels = new byte[images * SHAPE.bytes()];
        var random = new RandomStreams(1).random("pixels");
        for (int i = 0; i < pixels.length; i++) {
            int image = i / SHAPE.bytes();
            int channel = i % 3;
            int x = i / 3 % 32;
            int y = i / 96 % 32;
            double wave = Math.sin(x * (image % 7 + 1) * 0.1 + channel) + Math.cos(y * (image % 5 + 1) * 0.1);
            pixels[i] = (byte) (128 + 50 * wave + random.nextInt(25));
        }
        int[] labels = new int[images];
        Arrays.setAll(labels, i -> i % CLASSES);
        return new ImagesInMemory(SHAPE, CLASSES, pixels, labels);
    }
}
