package io.polder.data.augment;

/**
 * Resizes an image by linear interpolation between pixels' centres; where it becomes smaller, over all the pixels that
 * fall together (a triangle twice as wide as a new pixel). Pillow's {@code resize(…, BILINEAR)}, bit for bit.
 *
 * <p>Keeps its weights and memory from one image to the next; not for several threads at once.
 */
final class BilinearResize {
    /** The fixed point of the weights: eight bits of level, and two to spare. */
    private static final int PRECISION = 32 - 8 - 2;

    private final Weights across = new Weights();
    private final Weights down = new Weights();
    private byte[] between = new byte[0];

    /** Fills the first {@code newWidth * newHeight * channels} bytes of {@code destination}. */
    void apply(byte[] image, int width, int height, int channels, byte[] destination, int newWidth, int newHeight) {
        across.prepare(width, newWidth);
        down.prepare(height, newHeight);
        int stride = newWidth * channels;
        if (between.length < height * stride) {
            between = new byte[Math.multiplyExact(height, stride)];
        }
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < newWidth; x++) {
                for (int channel = 0; channel < channels; channel++) {
                    between[y * stride + x * channels + channel] =
                            across.sum(image, y * width * channels + channel, channels, x);
                }
            }
        }
        for (int y = 0; y < newHeight; y++) {
            for (int x = 0; x < stride; x++) {
                destination[y * stride + x] = down.sum(between, x, stride, y);
            }
        }
    }

    /** For each new pixel of a line: the first of the old it is made of, how many there are, and what they weigh. */
    private static final class Weights {
        private int size;
        private int newSize;
        private int taps;
        private int[] first = new int[0];
        private int[] count = new int[0];
        private int[] weights = new int[0];
        private double[] exact = new double[0];

        void prepare(int size, int newSize) {
            if (this.size == size && this.newSize == newSize) {
                return;
            }
            double scale = (double) size / newSize;
            double support = Math.max(1, scale);
            taps = (int) Math.ceil(support) * 2 + 1;
            if (first.length < newSize) {
                first = new int[newSize];
                count = new int[newSize];
            }
            if (weights.length < newSize * taps) {
                weights = new int[Math.multiplyExact(newSize, taps)];
            }
            if (exact.length < taps) {
                exact = new double[taps];
            }
            for (int i = 0; i < newSize; i++) {
                weigh(i, (i + 0.5) * scale, support, size);
            }
            this.size = size;
            this.newSize = newSize;
        }

        private void weigh(int i, double centre, double support, int size) {
            first[i] = Math.max(0, (int) (centre - support + 0.5));
            count[i] = Math.min(size, (int) (centre + support + 0.5)) - first[i];
            double sum = 0;
            for (int tap = 0; tap < count[i]; tap++) {
                exact[tap] = Math.max(0, 1 - Math.abs((tap + first[i] - centre + 0.5) * (1 / support)));
                sum += exact[tap];
            }
            for (int tap = 0; tap < count[i]; tap++) {
                weights[i * taps + tap] = (int) (0.5 + exact[tap] / sum * (1 << PRECISION));
            }
        }

        byte sum(byte[] line, int start, int step, int i) {
            int sum = 1 << (PRECISION - 1);
            int from = start + first[i] * step;
            for (int tap = 0; tap < count[i]; tap++) {
                sum += (line[from + tap * step] & 0xff) * weights[i * taps + tap];
            }
            // Weights rounded up may sum to a little more than 1.
            return (byte) Math.min(255, sum >> PRECISION);
        }
    }
}
