package io.polder.data.load;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.tensor.RandomStreams;

/**
 * Serves a source's images in batches, prepared ahead by background threads.
 *
 * <pre>{@code
 * try (var batches = loader.epoch(e)) {
 *     for (Batch batch : batches) { ... }
 * }
 * }</pre>
 *
 * <p>What is in a batch depends on the source, the seed, the epoch and the batch's number only: not on the threads, nor
 * on the epochs served before. Holds {@code threads + 2} batches of memory outside the heap for as long as it lives.
 * One epoch may be open at a time.
 */
public final class Loader implements AutoCloseable {
    private final ImageSource source;
    private final LoaderOptions options;
    private final RandomStreams streams;
    private final Batch[] ring;
    private Epoch current;
    private boolean closed;

    public Loader(ImageSource source, LoaderOptions options, RandomStreams streams) {
        if (source.size() < 1) {
            throw new IllegalArgumentException("the source has no images: it must have at least 1");
        }
        ImageShape shape = options.augmentation().output(source.shape());
        if (shape.bytes() > source.shape().bytes()) {
            throw new IllegalArgumentException(
                    "the augmentation makes %s of %s: it must not make images larger".formatted(shape, source.shape()));
        }
        int capacity = Math.min(options.batch(), source.size());
        long largest = Math.max(shape.bytes(), (long) source.classes() * Float.BYTES);
        if (capacity > Integer.MAX_VALUE / largest) {
            throw new IllegalArgumentException("batch is %d: it must be at most %d for images of %s and %d classes"
                    .formatted(options.batch(), Integer.MAX_VALUE / largest, shape, source.classes()));
        }
        this.source = source;
        this.options = options;
        this.streams = streams;
        // One batch in the caller's hands, one ready for it, and one under each worker.
        this.ring = new Batch[options.threads() + 2];
        for (int i = 0; i < ring.length; i++) {
            ring[i] = new Batch(capacity, shape, source.classes());
        }
    }

    public int images() {
        return source.size();
    }

    public int batchesPerEpoch() {
        return (source.size() - 1) / options.batch() + 1;
    }

    /** How many images a batch has: of all workers together, of which this loader serves a share. */
    public int sizeOf(int batch) {
        return Math.min(options.batch(), source.size() - batch * options.batch());
    }

    public Share share() {
        return options.share();
    }

    public Epoch epoch(int epoch) {
        return epoch(epoch, 0);
    }

    /** The rest of an epoch of which {@code firstBatch} batches were served before a stop, bit for bit. */
    public synchronized Epoch epoch(int epoch, int firstBatch) {
        if (epoch < 0) {
            throw new IllegalArgumentException("epoch is " + epoch + ": it must be at least 0");
        }
        if (firstBatch < 0 || firstBatch > batchesPerEpoch()) {
            throw new IllegalArgumentException(
                    "firstBatch is " + firstBatch + ": it must be 0 to " + batchesPerEpoch());
        }
        if (closed) {
            throw new IllegalStateException("the loader is closed");
        }
        if (current != null && !current.isClosed()) {
            throw new IllegalStateException("the loader has an open epoch: close it first, they share their memory");
        }
        closeCurrent();
        current = new Epoch(source, options, streams, ring, epoch, firstBatch, batchesPerEpoch());
        current.start();
        return current;
    }

    @Override
    public synchronized void close() {
        closed = true;
        closeCurrent();
    }

    /** Returns when no worker is left that could write into the ring; for a closed epoch, at once. */
    private void closeCurrent() {
        if (current != null) {
            current.close();
        }
    }
}
