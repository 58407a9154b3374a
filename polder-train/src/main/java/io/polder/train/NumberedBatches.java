package io.polder.train;

import io.polder.data.load.Share;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** See {@link Batches#inOrder} and {@link Batches#shuffled}. */
record NumberedBatches(
        int count,
        int size,
        Optional<RandomStreams> streams,
        Share share,
        BiFunction<int[], Device, Batches.Examples> make)
        implements Batches {
    NumberedBatches {
        if (count < 1 || size < 1) {
            throw new IllegalArgumentException("count is " + count + " and size " + size + ": both must be at least 1");
        }
    }

    @Override
    public int perEpoch() {
        return (count - 1) / size + 1;
    }

    @Override
    public Batches of(Share one) {
        return new NumberedBatches(count, size, streams, one, make);
    }

    @Override
    public Epoch epoch(int epoch, int first) {
        int[] order = order(epoch);
        return new Epoch() {
            private int next = first;

            @Override
            public boolean hasNext() {
                return next < perEpoch();
            }

            @Override
            public Batch next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                int from = next++ * size;
                int whole = Math.min(size, count - from);
                int own = from + share.first(whole);
                return batch(Arrays.copyOfRange(order, own, own + share.count(whole)), whole);
            }

            @Override
            public void close() {}
        };
    }

    private int[] order(int epoch) {
        int[] order = IntStream.range(0, count).toArray();
        streams.ifPresent(seed -> {
            var random = seed.random("order", epoch);
            for (int i = count - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int kept = order[i];
                order[i] = order[other];
                order[other] = kept;
            }
        });
        return order;
    }

    private Batch batch(int[] numbers, int whole) {
        return new Batch() {
            @Override
            public int size() {
                return numbers.length;
            }

            @Override
            public int whole() {
                return whole;
            }

            @Override
            public int first() {
                return share.first(whole);
            }

            @Override
            public Examples on(Device device) {
                return make.apply(numbers, device);
            }
        };
    }
}
