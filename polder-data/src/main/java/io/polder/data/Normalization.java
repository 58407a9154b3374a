package io.polder.data;

import java.io.IOException;
import java.util.Arrays;

/**
 * What to take from each channel and what to divide it by: {@code (x - mean) / deviation} for pixel values x in 0..1.
 *
 * <p>Measure the training images and use the result for the test images too.
 */
public record Normalization(float[] mean, float[] deviation) {
    /** The published figures of CIFAR-10's training images, rounded to four digits as they usually are. */
    public static final Normalization CIFAR10 =
            new Normalization(new float[] {0.4914f, 0.4822f, 0.4465f}, new float[] {0.2470f, 0.2435f, 0.2616f});

    /** The published figures of CIFAR-100's training images, rounded likewise. */
    public static final Normalization CIFAR100 =
            new Normalization(new float[] {0.5071f, 0.4865f, 0.4409f}, new float[] {0.2673f, 0.2564f, 0.2762f});

    /** What everybody uses for ImageNet. */
    public static final Normalization IMAGENET =
            new Normalization(new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});

    /** The published figures of MNIST's training images. */
    public static final Normalization MNIST = new Normalization(new float[] {0.1307f}, new float[] {0.3081f});

    /** The published figures of Fashion-MNIST's training images. */
    public static final Normalization FASHION_MNIST = new Normalization(new float[] {0.2860f}, new float[] {0.3530f});

    private static final int LEVELS = 256;

    public Normalization {
        mean = mean.clone();
        deviation = deviation.clone();
        if (mean.length == 0 || mean.length != deviation.length) {
            throw new IllegalArgumentException(
                    "mean has %d values and deviation %d: both must have one for each channel"
                            .formatted(mean.length, deviation.length));
        }
        for (int channel = 0; channel < mean.length; channel++) {
            if (!Float.isFinite(mean[channel])) {
                throw new IllegalArgumentException("mean is " + mean[channel] + ": it must be a finite number");
            }
            if (!(deviation[channel] > 0) || !Float.isFinite(deviation[channel])) {
                throw new IllegalArgumentException(
                        "deviation is " + deviation[channel] + ": it must be a finite number above 0");
            }
        }
    }

    /**
     * The mean and the population deviation of each channel, in one pass over every image. A channel of one value
     * only has deviation 1, so that normalising makes it 0.
     */
    public static Normalization of(ImageSource source) throws IOException {
        if (source.size() == 0) {
            throw new IllegalArgumentException("there are no images: a mean needs at least 1");
        }
        long[][] histograms = histograms(source);
        float[] mean = new float[histograms.length];
        float[] deviation = new float[histograms.length];
        for (int channel = 0; channel < histograms.length; channel++) {
            long[] histogram = histograms[channel];
            double pixels = (double) source.size()
                    * source.shape().height()
                    * source.shape().width();
            double average = 0;
            for (int level = 0; level < LEVELS; level++) {
                average += histogram[level] / pixels * level;
            }
            double variance = 0;
            for (int level = 0; level < LEVELS; level++) {
                variance += histogram[level] / pixels * (level - average) * (level - average);
            }
            mean[channel] = (float) (average / 255);
            deviation[channel] = variance == 0 ? 1 : (float) (Math.sqrt(variance) / 255);
        }
        return new Normalization(mean, deviation);
    }

    /** The same for images of another number of channels, when this one is of grey images. */
    public Normalization forChannels(int channels) {
        if (channels == mean.length) {
            return this;
        }
        if (mean.length != 1) {
            throw new IllegalArgumentException(
                    "channels is %d: it must be %d, as many as were measured".formatted(channels, mean.length));
        }
        float[] means = new float[channels];
        float[] deviations = new float[channels];
        Arrays.fill(means, mean[0]);
        Arrays.fill(deviations, deviation[0]);
        return new Normalization(means, deviations);
    }

    /** Whole counts lose nothing, however many images there are; running sums of squares would. */
    private static long[][] histograms(ImageSource source) throws IOException {
        int channels = source.shape().channels();
        long[][] histograms = new long[channels][LEVELS];
        byte[] image = new byte[source.shape().bytes()];
        for (int index = 0; index < source.size(); index++) {
            source.read(index, image);
            for (int pixel = 0; pixel < image.length; pixel += channels) {
                for (int channel = 0; channel < channels; channel++) {
                    histograms[channel][Byte.toUnsignedInt(image[pixel + channel])]++;
                }
            }
        }
        return histograms;
    }

    @Override
    public float[] mean() {
        return mean.clone();
    }

    @Override
    public float[] deviation() {
        return deviation.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Normalization that
                && Arrays.equals(mean, that.mean)
                && Arrays.equals(deviation, that.deviation);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(mean) + Arrays.hashCode(deviation);
    }

    @Override
    public String toString() {
        return "Normalization[mean=%s, deviation=%s]".formatted(Arrays.toString(mean), Arrays.toString(deviation));
    }
}
