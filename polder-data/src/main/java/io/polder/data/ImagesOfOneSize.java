package io.polder.data;

import io.polder.files.Sha256;
import io.polder.image.Resizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** What every {@link ImageSource} can do whose images are of one size. */
final class ImagesOfOneSize {
    /** The image before it is framed. For each thread one, kept. */
    private static final ThreadLocal<byte[]> WHOLE = ThreadLocal.withInitial(() -> new byte[0]);

    private ImagesOfOneSize() {}

    /** An array of this thread for an image of so many bytes, or of more. */
    static byte[] whole(int bytes) {
        if (WHOLE.get().length < bytes) {
            WHOLE.set(new byte[bytes]);
        }
        return WHOLE.get();
    }

    static void read(ImageSource images, int index, Framing framing, byte[] destination, SplittableRandom random)
            throws IOException {
        ImageShape shape = images.shape();
        byte[] whole = whole(shape.bytes());
        WHOLE.remove(); // images that are framed themselves need another
        try {
            images.read(index, whole, random);
        } finally {
            WHOLE.set(whole);
        }
        var frame = framing.frame(shape.height(), shape.width(), random);
        Resizer.resize(whole, shape.height(), shape.width(), shape.channels(), frame, destination);
    }

    static String contents(ImageSource images) throws IOException {
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
}
