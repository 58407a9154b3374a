package io.polder.data;

import io.polder.files.Sha256;
import io.polder.image.Resizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** What every {@link ImageSource} can do whose images are of one size. */
final class ImagesOfOneSize {
    /** The image before it is framed. For each thread one, kept. */
    private static final ThreadLocal<byte[]> WHOLE = ThreadLocal.withInitial(() -> new byte[0]);

    private ImagesOfOneSize() {}

    static void read(ImageSource images, int index, Framing framing, byte[] destination, SplittableRandom random)
            throws IOException {
        ImageShape shape = images.shape();
        byte[] kept = WHOLE.get();
        byte[] whole = kept.length < shape.bytes() ? new byte[shape.bytes()] : kept;
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
        byte[] image = new byte[images.shape().bytes()];
        for (int i = 0; i < images.size(); i++) {
            images.read(i, image);
            byte[] labels = bytes(images.labels(i));
            for (byte[] part : List.of(image, labels)) {
                first.update(part);
                second.update(part);
            }
        }
        return Sha256.of(images.size() + " " + images.shape() + " " + first.getValue() + " " + second.getValue());
    }

    /** One label by itself; of another number of them their number too, so that they run into no other image's. */
    private static byte[] bytes(int[] labels) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * (labels.length + 1));
        for (int label : labels) {
            bytes.putInt(label);
        }
        return labels.length == 1
                ? Arrays.copyOf(bytes.array(), Integer.BYTES)
                : bytes.putInt(labels.length).array();
    }
}
