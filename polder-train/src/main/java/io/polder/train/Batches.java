package io.polder.train;

import io.polder.data.load.Share;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.BiFunction;
import org.bytedeco.pytorch.Tensor;

/** Examples in batches, epoch by epoch. What is in a batch is a function of the epoch and its number: a run that resumes gets the same. */
public interface Batches {
    int perEpoch();

    /**
     * The batches of an epoch that are left when {@code first} of them were served before. One epoch is open at a time.
     *
     * @param epoch counts from 0
     */
    Epoch epoch(int epoch, int first);

    /**
     * Examples that are known by their numbers, 0 to {@code count} − 1, such as those in memory.
     *
     * @param count of examples in an epoch
     * @param size of a batch; the last may be smaller
     * @param make the tensors of the examples of some numbers, on a device, in the caller's scope
     */
    static Batches inOrder(int count, int size, BiFunction<int[], Device, Examples> make) {
        return new NumberedBatches(count, size, Optional.empty(), Share.ALL, make);
    }

    /** Likewise, in an order of their own for each epoch, which the seed draws. */
    static Batches shuffled(int count, int size, RandomStreams streams, BiFunction<int[], Device, Examples> make) {
        return new NumberedBatches(count, size, Optional.of(streams), Share.ALL, make);
    }

    /** To be iterated once and closed. */
    interface Epoch extends Iterator<Batch>, AutoCloseable {
        @Override
        void close();
    }

    /** The same batches for one of several workers, who gets his share of each. */
    default Batches of(Share share) {
        throw new UnsupportedOperationException(
                "these batches cannot be shared among workers: give them an of(Share), or train with one");
    }

    /** Some examples; usable until the next is asked for. */
    interface Batch {
        int size();

        /** How many examples all workers have of this batch: as many, for one who is alone. */
        default int whole() {
            return size();
        }

        /** The place of the first of these examples in the whole. */
        default int first() {
            return 0;
        }

        /** As tensors on a device, in the caller's scope. */
        Examples on(Device device);
    }

    /**
     * What goes into a network and what should come out. The first dimension counts examples.
     *
     * @param inputs as the network takes them
     * @param targets as the task's loss takes them
     */
    record Examples(Tensor inputs, Tensor targets) {}
}
