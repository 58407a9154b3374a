package io.polder.bench;

import io.polder.data.ImageShape;
import io.polder.data.OpenOptions;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.image.Encoder;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The ImageNet pipeline, from JPEG files of 500 x 375 to batches of 224 x 224: random resized crop and flip. Images for each
 * second of processor time, one worker. Makes the files where they are not there yet.
 *
 * <p>Arguments: the directory of the files, epochs (9).
 */
final class ImageNetPipeline {
    private static final int IMAGES = 256;
    private static final int HEIGHT = 375;
    private static final int WIDTH = 500;

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        int epochs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9;
        if (Files.notExists(directory)) {
            make(directory);
        }
        var streams = new RandomStreams(1);
        try (var folder = Datasets.named("image-folder").open(directory, OpenOptions.DEFAULT)) {
            var pipeline = Pipeline.named("imagenet", new ImageShape(3, HEIGHT, WIDTH));
            var options = LoaderOptions.training(32, pipeline.augmentation()).withThreads(1);
            try (var loader = new Loader(folder.train().framed(pipeline.training()), options, streams)) {
                System.out.printf(
                        Locale.ROOT,
                        "Polder: %.0f images for each second of processor time%n",
                        LoaderSpeed.imagesPerProcessorSecond(loader, epochs));
            }
        }
    }

    /** Soft shapes, edges and grain, at a quality that makes files of about 100 kB, as ImageNet's are. */
    private static void make(Path directory) throws IOException {
        Path test = Files.createDirectories(directory.resolve("test/one"));
        Path train = Files.createDirectories(directory.resolve("train/one"));
        var random = new SplittableRandom(1);
        byte[] pixels = new byte[3 * HEIGHT * WIDTH];
        for (int image = 0; image < IMAGES; image++) {
            double[] wave = random.doubles(9, 8, 60).toArray();
            for (int y = 0; y < HEIGHT; y++) {
                for (int x = 0; x < WIDTH; x++) {
                    double grain = random.nextInt(33) - 16;
                    double edge = Math.hypot(x - 8 * wave[0], y - 6 * wave[1]) < 3 * wave[2] ? 50 : 0;
                    for (int c = 0; c < 3; c++) {
                        double level = 110
                                + edge
                                + grain
                                + 40 * Math.sin(x / wave[3 + c] + y / wave[6])
                                + 30 * Math.cos(y / wave[7] - x / wave[8]);
                        pixels[3 * (y * WIDTH + x) + c] = (byte) Math.max(0, Math.min(255, level));
                    }
                }
            }
            byte[] file = Encoder.jpeg(pixels, HEIGHT, WIDTH, 90);
            Files.write(train.resolve("%03d.jpg".formatted(image)), file);
            if (image == 0) {
                Files.write(test.resolve("000.jpg"), file);
            }
        }
    }
}
