package io.polder.train;

import io.polder.tensor.Device;
import java.util.Iterator;
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

    /** To be iterated once and closed. */
    interface Epoch extends Iterator<Batch>, AutoCloseable {
        @Override
        void close();
    }

    /** Some examples; usable until the next is asked for. */
    interface Batch {
        int size();

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
