package io.polder.data;

import java.util.Objects;

/** A data set small enough to hold: one array of pixels, one of labels. */
public final class ImagesInMemory implements ImageSource {
    private final ImageShape shape;
    private final int classes;
    private final byte[] pixels;
    private final int[] labels;

    /** Keeps both arrays without a copy; the caller lets go of them. */
    public ImagesInMemory(ImageShape shape, int classes, byte[] pixels, int[] labels) {
        if (pixels.length != (long) labels.length * shape.bytes()) {
            throw new IllegalArgumentException("%d labels of %s need %d bytes of pixels, but there are %d"
                    .formatted(labels.length, shape, (long) labels.length * shape.bytes(), pixels.length));
        }
        for (int label : labels) {
            if (label < 0 || label >= classes) {
                throw new IllegalArgumentException("label is %d: it must be 0 to %d, as there are %d classes"
                        .formatted(label, classes - 1, classes));
            }
        }
        this.shape = shape;
        this.classes = classes;
        this.pixels = pixels;
        this.labels = labels;
    }

    /**
     * The same images, with the number of classes the data set is known to have: a file of labels only tells the highest.
     */
    public ImagesInMemory withClasses(int classes) {
        return new ImagesInMemory(shape, classes, pixels, labels);
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public ImageShape shape() {
        return shape;
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public int label(int index) {
        return labels[index];
    }

    /** Where they have that size already, without a copy. */
    @Override
    public ImageSource framed(Framing framing) {
        boolean already = framing.equals(Framing.asIs(shape.height(), shape.width()));
        return already ? this : ImageSource.super.framed(framing);
    }

    @Override
    public void read(int index, byte[] destination) {
        Objects.checkIndex(index, labels.length);
        System.arraycopy(pixels, index * shape.bytes(), destination, 0, shape.bytes());
    }
}
