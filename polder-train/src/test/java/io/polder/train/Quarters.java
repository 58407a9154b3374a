package io.polder.train;

import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import java.util.SplittableRandom;

/** An easy task: noise with a bright quarter, whose place is the class; not linear in single pixels. */
final class Quarters {
    static final int SIZE = 8;
    static final int CLASSES = 4;

    private Quarters() {}

    static ImagesInMemory images(int count, long seed) {
        var random = new SplittableRandom(seed);
        byte[] pixels = new byte[count * SIZE * SIZE];
        int[] labels = new int[count];
        for (int i = 0; i < count; i++) {
            int label = i % CLASSES;
            labels[i] = label;
            for (int y = 0; y < SIZE; y++) {
                for (int x = 0; x < SIZE; x++) {
                    boolean bright = (y < SIZE / 2) == (label < 2) && (x < SIZE / 2) == (label % 2 == 0);
                    pixels[(i * SIZE + y) * SIZE + x] = (byte) (random.nextInt(100) + (bright ? 60 : 0));
                }
            }
        }
        return new ImagesInMemory(new ImageShape(1, SIZE, SIZE), CLASSES, pixels, labels);
    }

    /** The clock aside, two runs must agree. */
    static StepMetrics withoutSpeed(StepMetrics s) {
        return new StepMetrics(
                s.step(),
                s.epoch(),
                s.loss(),
                s.referenceNorm(),
                s.norm(),
                s.parameterNorm(),
                s.learningRate(),
                s.figures(),
                0);
    }
}
