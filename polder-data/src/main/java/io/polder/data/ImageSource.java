package io.polder.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Labelled images in a fixed order, wherever they are kept. Where they differ in size, as in a folder of photographs, a
 * {@linkplain #framed framing} makes them of one.
 *
 * <p>Several threads read at once. Closing an epoch waits for the reads in progress and does not interrupt them (an
 * interrupt would close a {@link java.nio.channels.FileChannel} for good), so a read must end by itself.
 */
public interface ImageSource {
    int size();

    /** Of each image; where they differ in size, of the first. */
    ImageShape shape();

    /** Of each image; unlike the shape, known without reading one. */
    default int channels() {
        return shape().channels();
    }

    int classes();

    /**
     * The class of an image, from 0 to {@code classes() - 1}. Of an image that has several labels, the one by which sets are divided in
     * proportion: its rarest, or {@code classes()} where it has none.
     */
    int label(int index);

    /** Every class of an image, in ascending order: its label, unless images have several. */
    default int[] labels(int index) {
        return new int[] {label(index)};
    }

    /** What people call an image: its file, where it has one. */
    default String name(int index) {
        return "image " + index;
    }

    /**
     * Writes one image to the start of the destination, in row-major order of height, width and channel: the layout
     * the engine calls channels-last.
     *
     * @throws IOException in one sentence that names the file, also if the image is of another shape
     */
    void read(int index, byte[] destination) throws IOException;

    /**
     * As above, for a source that chooses at random which part of an image it serves: it draws from {@code random}, which
     * belongs to this image in this epoch, before the augmentation does. Others leave it alone.
     */
    default void read(int index, byte[] destination, SplittableRandom random) throws IOException {
        read(index, destination);
    }

    /** One image through a framing, which is asked once, with this image's size and {@code random}. */
    default void read(int index, Framing framing, byte[] destination, SplittableRandom random) throws IOException {
        ImagesOfOneSize.read(this, index, framing, destination, random);
    }

    /** These images, all of one size. */
    default ImageSource framed(Framing framing) {
        return new FramedPictures(this, framing, new ImageShape(channels(), framing.height(), framing.width()));
    }

    /**
     * What the images are, in hexadecimal: the same wherever they lie and however they are packed, another when a byte of one, its
     * name or its label changes. May read them all, the first time.
     *
     * @param cache the directory that keeps what need not be read again
     */
    default String contents(Path cache) throws IOException {
        return ImagesOfOneSize.contents(this);
    }

    /** What changes when the images do, cheaply found out (names, sizes, times); empty where nothing need be kept. */
    default Optional<String> fingerprint() {
        return Optional.empty();
    }
}
