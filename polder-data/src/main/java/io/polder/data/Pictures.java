package io.polder.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Labelled images that may differ in size, in a fixed order; a {@link Framing} makes an {@link ImageSource} of them.
 *
 * <p>Several threads read at once, and a read ends by itself, as for an {@link ImageSource}.
 */
public interface Pictures {
    int size();

    int classes();

    /** The class of a picture, from 0 to {@code classes() - 1}. */
    int label(int index);

    /** 3 for colours (grey pictures among them have three equal channels), 1 where all are grey. */
    int channels();

    /**
     * Writes one picture, framed, to the start of the destination: {@code framing.height() · framing.width() ·
     * channels()} bytes. The framing is asked once, with this picture's size and {@code random}.
     *
     * @throws IOException in one sentence that names the file
     */
    void read(int index, Framing framing, byte[] destination, SplittableRandom random) throws IOException;

    /**
     * What the pictures are, in hexadecimal: the same wherever they lie and however they are packed, another when a byte of one, its
     * name or its label changes. May read them all, the first time.
     *
     * @param cache the directory that keeps what need not be read again
     */
    String contents(Path cache) throws IOException;

    /** What changes when the pictures do, cheaply found out (names, sizes, times); empty where nothing need be kept. */
    default Optional<String> fingerprint() {
        return Optional.empty();
    }

    /** These pictures, all of one size. Where they have it already they are served without a copy. */
    default ImageSource framed(Framing framing) {
        return new FramedPictures(this, framing);
    }

    /** Images of one size, to be framed. */
    static Pictures of(ImageSource images) {
        return new PicturesOfOneSize(images);
    }
}
