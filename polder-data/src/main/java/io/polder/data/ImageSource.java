package io.polder.data;

import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Labelled images of one shape, in a fixed order, wherever they are kept.
 *
 * <p>Several threads read at once. Closing an epoch waits for the reads in progress and does not interrupt them (an
 * interrupt would close a {@link java.nio.channels.FileChannel} for good), so a read must end by itself.
 */
public interface ImageSource {
    int size();

    ImageShape shape();

    int classes();

    /** The class of an image, from 0 to {@code classes() - 1}. */
    int label(int index);

    /**
     * Writes one image to the start of the destination, in row-major order of height, width and channel: the layout
     * the engine calls channels-last.
     *
     * @throws IOException in one sentence that names the file
     */
    void read(int index, byte[] destination) throws IOException;

    /**
     * As above, for a source that chooses at random which part of an image it serves: it draws from {@code random}, which
     * belongs to this image in this epoch, before the augmentation does. Others leave it alone.
     */
    default void read(int index, byte[] destination, SplittableRandom random) throws IOException {
        read(index, destination);
    }
}
