package io.polder.data.load;

import io.polder.data.augment.Augmentation;
import io.polder.data.augment.BatchAugmentation;
import java.util.Objects;

/**
 * How a {@link Loader} goes through its images.
 *
 * @param batch images in a batch; an epoch's last batch has those left over
 * @param shuffle whether each epoch has an order of its own, rather than the source's
 * @param augmentation what is done to each image
 * @param mixing what is then done to each batch as a whole
 * @param threads workers that prepare batches ahead; they change the speed, never the batches
 * @param share of each batch that is read
 */
public record LoaderOptions(
        int batch, boolean shuffle, Augmentation augmentation, BatchAugmentation mixing, int threads, Share share) {
    /**
     * One prepares some 260,000 images of 32 x 32 a second from memory, more than a processor can learn from; the other
     * is for sources that wait for a disc. Workers that are ahead sleep.
     */
    private static final int DEFAULT_THREADS = 2;

    /** More would wait for each other, and hold a batch each. */
    public static final int MOST_THREADS = 256;

    public LoaderOptions {
        if (batch < 1) {
            throw new IllegalArgumentException("batch is " + batch + ": it must be at least 1");
        }
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("threads is " + threads + ": it must be 1 to " + MOST_THREADS);
        }
        Objects.requireNonNull(augmentation, "augmentation");
        Objects.requireNonNull(mixing, "mixing");
        Objects.requireNonNull(share, "share");
    }

    /** A new order each epoch, because neighbours in a file tend to be alike. */
    public static LoaderOptions training(int batch, Augmentation augmentation) {
        return new LoaderOptions(batch, true, augmentation, BatchAugmentation.NONE, DEFAULT_THREADS, Share.ALL);
    }

    /** The source's order and images as they are: the n-th prediction is for the n-th image. */
    public static LoaderOptions evaluation(int batch) {
        return new LoaderOptions(batch, false, Augmentation.NONE, BatchAugmentation.NONE, DEFAULT_THREADS, Share.ALL);
    }

    /** For training only: the targets of a mixed batch are no labels to test against. */
    public LoaderOptions withMixing(BatchAugmentation mixing) {
        return new LoaderOptions(batch, shuffle, augmentation, mixing, threads, share);
    }

    public LoaderOptions withThreads(int threads) {
        return new LoaderOptions(batch, shuffle, augmentation, mixing, threads, share);
    }

    /** For one of several workers. Images are mixed with others of the same share. */
    public LoaderOptions withShare(Share share) {
        return new LoaderOptions(batch, shuffle, augmentation, mixing, threads, share);
    }
}
