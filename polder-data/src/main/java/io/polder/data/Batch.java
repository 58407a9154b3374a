package io.polder.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Some images and what a model should say of them, in memory the engine reads in place.
 *
 * <p>The loader owns the memory and fills it again: a batch is valid until the next call of {@code next()} on its
 * epoch's iterator, or until the epoch or the loader is closed. Whoever needs it longer copies it; whoever has it in
 * hand may write to it, which is how {@linkplain io.polder.data.augment.BatchAugmentation batches are mixed}.
 */
public final class Batch {
    private final ImageShape shape;
    private final int classes;
    private final ByteBuffer pixels;
    private final FloatBuffer targets;
    private int size;

    /** @param capacity the most images it can have; it has none yet */
    public Batch(int capacity, ImageShape shape, int classes) {
        this.shape = shape;
        this.classes = classes;
        this.pixels = ByteBuffer.allocateDirect(Math.multiplyExact(capacity, shape.bytes()));
        this.targets = ByteBuffer.allocateDirect(Math.multiplyExact(Math.multiplyExact(capacity, classes), Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /** The images as unsigned bytes, by image, height, width and channel; a direct buffer, a new view each call. */
    public ByteBuffer pixels() {
        return pixels.slice(0, size * shape.bytes());
    }

    /**
     * The probability of each class for each image, one row an image; a direct buffer in native order, a new view each
     * call. Rows rather than labels, so that an image mixed of two classes has a target too, and one that has several labels.
     */
    public FloatBuffer targets() {
        return targets.slice(0, size * classes);
    }

    public int size() {
        return size;
    }

    public ImageShape shape() {
        return shape;
    }

    public int classes() {
        return classes;
    }

    /** @param size how many images it has from now on, which are then {@link #put} */
    public void resize(int size) {
        this.size = size;
    }

    /** @param labels the classes of the image, which its row has ones for */
    public void put(int position, byte[] image, int... labels) {
        pixels.put(position * shape.bytes(), image, 0, shape.bytes());
        for (int c = 0; c < classes; c++) {
            targets.put(position * classes + c, 0);
        }
        for (int label : labels) {
            if (label < 0 || label >= classes) {
                throw new IllegalArgumentException("label is " + label + ": it must be 0 to " + (classes - 1));
            }
            targets.put(position * classes + label, 1);
        }
    }
}
