package io.polder.data;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Images that are read from their source once and then from memory: for small images, of which decoding is the dear part.
 * Each is kept when it is first asked for, so nothing waits for all of them.
 */
final class HeldInMemory implements ImageView {
    /** For all of a data set; and no more than half of what the virtual machine may use. */
    private static final long MOST_BYTES = 1L << 30;

    private final ImageSource source;
    private final AtomicReferenceArray<byte[]> images;
    private int booked;

    HeldInMemory(ImageSource source) {
        this.source = source;
        this.images = new AtomicReferenceArray<>(source.size());
    }

    /** What it takes to keep so many images more, of those that are there. */
    long bytesFor(int more) {
        return (long) Math.min(more, size() - booked) * shape().bytes();
    }

    void book(int more) {
        booked += Math.min(more, size() - booked);
    }

    boolean keepsAll() {
        return booked == size();
    }

    static long mostBytes() {
        return Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 2);
    }

    @Override
    public ImageSource source() {
        return source;
    }

    /** Two threads may both read an image that neither has found yet: they find the same. */
    @Override
    public void read(int index, byte[] destination) throws IOException {
        byte[] image = images.get(index);
        if (image == null) {
            image = new byte[shape().bytes()];
            source.read(index, image);
            images.set(index, image);
        }
        System.arraycopy(image, 0, destination, 0, image.length);
    }
}
