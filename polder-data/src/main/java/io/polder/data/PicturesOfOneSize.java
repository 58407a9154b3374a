package io.polder.data;

import io.polder.files.Sha256;
import io.polder.image.Resizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** See {@link Pictures#of}. */
record PicturesOfOneSize(ImageSource images) implements Pictures {
    /** The image before it is framed. For each thread one, kept. */
    private static final ThreadLocal<byte[]> WHOLE = ThreadLocal.withInitial(() -> new byte[0]);

    PicturesOfOneSize {
        Objects.requireNonNull(images, "images");
    }

    @Override
    public int size() {
        return images.size();
    }

    @Override
    public int classes() {
        return images.classes();
    }

    @Override
    public int label(int index) {
        return images.label(index);
    }

    @Override
    public int channels() {
        return images.shape().channels();
    }

    @Override
    public void read(int index, Framing framing, byte[] destination, SplittableRandom random) throws IOException {
        ImageShape shape = images.shape();
        byte[] whole = WHOLE.get();
        if (whole.length < shape.bytes()) {
            whole = new byte[shape.bytes()];
            WHOLE.set(whole);
        }
        images.read(index, whole);
        var frame = framing.frame(shape.height(), shape.width(), random);
        Resizer.resize(whole, shape.height(), shape.width(), shape.channels(), frame, destination);
    }

    @Override
    public String contents(Path cache) throws IOException {
        var first = new CRC32C(); // with the other one 64 bits, which under the launcher's compiler take a tenth of
        // SHA-256's time
        var second = new CRC32();
        byte[] record = new byte[images.shape().bytes() + Integer.BYTES];
        for (int i = 0; i < images.size(); i++) {
            images.read(i, record);
            ByteBuffer.wrap(record).putInt(images.shape().bytes(), images.label(i));
            first.update(record);
            second.update(record);
        }
        return Sha256.of(images.size() + " " + images.shape() + " " + first.getValue() + " " + second.getValue());
    }

    @Override
    public ImageSource framed(Framing framing) {
        boolean already = framing instanceof Framing.AsIs
                && framing.height() == images.shape().height()
                && framing.width() == images.shape().width();
        return already ? images : Pictures.super.framed(framing);
    }
}
