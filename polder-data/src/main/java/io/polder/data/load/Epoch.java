package io.polder.data.load;

import io.polder.data.Batch;
import io.polder.data.ImageSource;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;

/**
 * One pass over a loader's images; iterate it once, from one thread, and close it (from any).
 *
 * <p>Workers claim batches in order and fill them side by side; they are served in order. A worker's failure is thrown
 * by the {@code next()} that would have served the failed batch, whatever the threads, and closes the epoch. An
 * interrupt of the thread that waits for a batch is thrown as a {@link CancellationException}, its flag left set. After
 * {@code close()} returns no worker is running.
 */
public final class Epoch implements Iterable<Batch>, AutoCloseable {
    private static final int NONE_LEFT = -1;

    private static final class Slot {
        final Batch batch;
        boolean ready;
        Throwable failure;

        Slot(Batch batch) {
            this.batch = batch;
        }
    }

    private final ImageSource source;
    private final LoaderOptions options;
    private final RandomStreams streams;
    private final int epoch;
    private final int batches;
    private final int[] order;
    private final Slot[] ring;
    private final Thread[] workers;

    // Guarded by this. Batch n lives in slot n % ring.length; those of oldest to claimed - 1 are in use.
    private int oldest;
    private int claimed;
    private int next;
    private boolean iterated;

    // Written under the lock; workers also look at it between images.
    private volatile boolean closed;

    Epoch(
            ImageSource source,
            LoaderOptions options,
            RandomStreams streams,
            Batch[] memory,
            int epoch,
            int firstBatch,
            int batches) {
        this.source = source;
        this.options = options;
        this.streams = streams;
        this.epoch = epoch;
        this.batches = batches;
        this.order = new int[source.size()];
        Arrays.setAll(order, i -> i);
        if (options.shuffle()) {
            shuffle(order, streams.random("shuffle", epoch));
        }
        this.ring = Arrays.stream(memory).map(Slot::new).toArray(Slot[]::new);
        this.workers = new Thread[options.threads()];
        this.oldest = firstBatch;
        this.claimed = firstBatch;
        this.next = firstBatch;
    }

    /** Fisher and Yates: every order is equally likely. */
    private static void shuffle(int[] order, SplittableRandom random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
    }

    void start() {
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(this::work, "polder-loader-" + (i + 1));
            workers[i].setDaemon(true);
        }
        for (Thread worker : workers) {
            worker.start();
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized Iterator<Batch> iterator() {
        if (iterated) {
            throw new IllegalStateException(
                    "epoch %d is iterated already: ask the loader for it again".formatted(epoch));
        }
        iterated = true;
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return hasMore();
            }

            @Override
            public Batch next() {
                Slot slot = take();
                if (slot.failure != null) {
                    close();
                    throw unchecked(slot.failure);
                }
                return slot.batch;
            }
        };
    }

    private synchronized boolean hasMore() {
        requireOpen();
        return next < batches;
    }

    private synchronized Slot take() {
        if (!hasMore()) {
            throw new NoSuchElementException("epoch %d has only %d batches".formatted(epoch, batches));
        }
        oldest = next;
        notifyAll();
        Slot slot = slot(next);
        try {
            // Also when a batch is ready: an interrupted loop ends at its next batch, however fast the workers.
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            while (!slot.ready && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted before batch %d of epoch %d".formatted(next, epoch));
        }
        requireOpen();
        slot.ready = false;
        next++;
        return slot;
    }

    /** Stops the workers, each after the image in its hands or the batch it mixes, and waits for them. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        boolean interrupted = false;
        for (Thread worker : workers) {
            while (worker.isAlive()) {
                try {
                    worker.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        byte[] image = new byte[source.shape().bytes()];
        for (int number = claim(); number != NONE_LEFT; number = claim()) {
            Throwable failure = null;
            try {
                fill(slot(number).batch, number, image);
            } catch (Throwable thrown) {
                failure = thrown;
            }
            finish(number, failure);
        }
    }

    private synchronized int claim() {
        while (!closed && claimed < batches && claimed >= oldest + ring.length) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Nobody but close() ends a worker: were it to leave here, the loop would wait for it in vain.
            }
        }
        return closed || claimed >= batches ? NONE_LEFT : claimed++;
    }

    private void fill(Batch batch, int number, byte[] image) throws IOException {
        int whole = Math.min(options.batch(), order.length - number * options.batch());
        int place = options.share().first(whole);
        int first = number * options.batch() + place;
        int size = options.share().count(whole);
        batch.resize(size);
        for (int i = 0; i < size && !closed; i++) {
            int index = order[first + i];
            SplittableRandom random = streams.random("augment", epoch, index);
            source.read(index, image, random);
            options.augmentation().apply(image, source.shape(), random);
            batch.put(i, image, source.labels(index));
        }
        // Closed midway, the rest of the batch is an earlier one: nobody will see it.
        if (!closed && size > 0) {
            options.mixing()
                    .apply(
                            batch,
                            place == 0
                                    ? streams.random("mix", epoch, number)
                                    : streams.random("mix", epoch, number, place));
        }
    }

    private synchronized void finish(int number, Throwable failure) {
        Slot slot = slot(number);
        slot.ready = true;
        slot.failure = failure;
        notifyAll();
    }

    private Slot slot(int number) {
        return ring[number % ring.length];
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("epoch %d is closed".formatted(epoch));
        }
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof IOException e) {
            return new UncheckedIOException(e.getMessage(), e);
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
    }
}
