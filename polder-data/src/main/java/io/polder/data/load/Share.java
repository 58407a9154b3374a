package io.polder.data.load;

/**
 * Which part of every batch is one worker's: as many images as any other's, or one more or less, side by side. Together the shares are
 * the batch.
 *
 * @param rank of the worker, from 0
 */
public record Share(int rank, int workers) {
    /** Of one who is alone. */
    public static final Share ALL = new Share(0, 1);

    public Share {
        if (workers < 1 || rank < 0 || rank >= workers) {
            throw new IllegalArgumentException(
                    "the share is that of rank " + rank + " of " + workers + ": it must be 0 to " + (workers - 1));
        }
    }

    /** The place of its first image in a batch of that size. */
    public int first(int size) {
        return (int) ((long) size * rank / workers);
    }

    /** How many images of a batch of that size are its own: none, where there are fewer than workers. */
    public int count(int size) {
        return (int) ((long) size * (rank + 1) / workers) - first(size);
    }
}
