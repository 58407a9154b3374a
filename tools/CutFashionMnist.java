import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Cuts the data that Polder bundles out of Fashion-MNIST (Debian's package dataset-fashion-mnist): the first 200 training images
 * of each class, in the file's order, and all 10,000 test images.
 *
 * <pre>
 *   java tools/CutFashionMnist.java /usr/share/datasets/fashion-mnist polder-data/src/main/resources/io/polder/data/source/fashion-mnist-2000
 * </pre>
 */
class CutFashionMnist {
    private static final int CLASSES = 10;
    private static final int IMAGES_OF_A_CLASS = 200;
    private static final int IMAGE_HEADER = 16;
    private static final int LABEL_HEADER = 8;
    private static final int PIXELS = 28 * 28;

    public static void main(String[] arguments) throws IOException {
        Path from = Path.of(arguments[0]);
        Path to = Path.of(arguments[1]);
        byte[] images = unpack(from.resolve("train-images-idx3-ubyte.gz"));
        byte[] labels = unpack(from.resolve("train-labels-idx1-ubyte.gz"));

        var cutImages = new ByteArrayOutputStream();
        var cutLabels = new ByteArrayOutputStream();
        int[] taken = new int[CLASSES];
        for (int i = 0; i < labels.length - LABEL_HEADER; i++) {
            int label = labels[LABEL_HEADER + i];
            if (taken[label] < IMAGES_OF_A_CLASS) {
                taken[label]++;
                cutImages.write(images, IMAGE_HEADER + i * PIXELS, PIXELS);
                cutLabels.write(label);
            }
        }
        int count = CLASSES * IMAGES_OF_A_CLASS;
        pack(to.resolve("train-images-idx3-ubyte.gz"), cutImages, 0x803, count, 28, 28);
        pack(to.resolve("train-labels-idx1-ubyte.gz"), cutLabels, 0x801, count);
        for (String test : new String[] {"t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"}) {
            Files.write(to.resolve(test), Files.readAllBytes(from.resolve(test)));
        }
    }

    private static byte[] unpack(Path file) throws IOException {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    /** Level 9, and no name or time in the header: the same input gives the same file. */
    private static void pack(Path file, ByteArrayOutputStream content, int... header) throws IOException {
        var best = new GZIPOutputStream(Files.newOutputStream(file)) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        };
        try (var out = new DataOutputStream(best)) {
            for (int number : header) {
                out.write(ByteBuffer.allocate(4).putInt(number).array());
            }
            content.writeTo(out);
        }
    }
}
