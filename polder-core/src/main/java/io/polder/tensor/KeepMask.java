package io.polder.tensor;

import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Masks of dropout: each element is 1/kept with probability {@code kept}, and 0 otherwise.
 *
 * <p>The engine draws an element at a time, on one thread: a quarter of a step of a small vision transformer. On a CPU they are drawn here,
 * 64 at a time and on all threads. An element stays if a uniform u is below {@code kept}: u is drawn bit by bit, from the highest, as one
 * word for the same bit of 64 elements, until each u differs from {@code kept} in some bit, which takes about seven words. So the
 * probability is exactly that of the double. Each word is a function of the generator's state and the element's place,
 * whatever the number of threads.
 */
public final class KeepMask {
    private static final int WORD = 64;
    private static final int CHUNK = 256 * WORD;
    static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private KeepMask() {}

    /** In float32, so that every precision has the same draws; on the generator's device and in the caller's scope. */
    public static Tensor draw(double kept, Generator generator, long... shape) {
        if (!(kept > 0 && kept <= 1)) {
            throw new IllegalArgumentException("kept is " + kept + ": it must be above 0 and at most 1");
        }
        var from = new GeneratorOptional(generator);
        var device = new DeviceOptional(generator.device());
        Tensor mask = empty(torch.ScalarType.Float, device, shape);
        if (!generator.device().is_cpu()) {
            return mask.bernoulli_(kept, from).mul_(new Scalar(1 / kept));
        }
        try (Tensor seed = empty(torch.ScalarType.Long, device, 1)) {
            fill(mask, kept, seed.random_(from).item_long());
        }
        return mask;
    }

    private static Tensor empty(torch.ScalarType type, DeviceOptional device, long... shape) {
        return torch.empty(shape, new TensorOptions(type).device(device), new MemoryFormatOptional());
    }

    private static void fill(Tensor mask, double kept, long seed) {
        FloatPointer elements = mask.data_ptr_float();
        long size = mask.numel();
        var chunks = LongStream.range(0, (size + CHUNK - 1) / CHUNK);
        if (size <= CHUNK || Engine.threads() == 1) {
            chunks.forEach(chunk -> fill(elements, size, chunk * CHUNK, kept, seed));
        } else {
            Helpers.POOL
                    .submit(() -> chunks.parallel().forEach(chunk -> fill(elements, size, chunk * CHUNK, kept, seed)))
                    .join();
        }
    }

    private static void fill(FloatPointer elements, long size, long first, double kept, long seed) {
        // Two elements are one store.
        long stays = Integer.toUnsignedLong(Float.floatToRawIntBits((float) (1 / kept)));
        long[] two = {0, stays, stays << 32, stays << 32 | stays};
        long[] pairs = new long[CHUNK / 2];
        int count = (int) Math.min(CHUNK, size - first);
        for (int i = 0; i < count; i += WORD) {
            long below = below(kept, seed + (first + i) / WORD);
            for (int pair = i / 2; pair < (i + WORD) / 2; pair++) {
                pairs[pair] = two[(int) below & 3];
                below >>>= 2;
            }
        }
        try (var here = new LongPointer(elements.getPointer(first))) {
            here.put(pairs, 0, count / 2);
        }
        if (count % 2 == 1) {
            elements.put(first + count - 1, Float.intBitsToFloat((int) pairs[count / 2]));
        }
    }

    /** 64 uniform numbers, each a column of the words that are drawn: ones where they are below p. */
    static long below(double p, long seed) {
        long state = RandomStreams.mix(seed * GOLDEN); // SplitMix64 from here on
        long below = 0;
        long undecided = -1;
        double rest = p;
        while (undecided != 0 && rest > 0) {
            state += GOLDEN;
            long word = RandomStreams.mix(state);
            rest *= 2;
            if (rest >= 1) { // this bit of p is a one: where u has a zero it is below
                rest -= 1;
                below |= undecided & ~word;
                undecided &= word;
            } else {
                undecided &= ~word;
            }
        }
        return below;
    }

    /** As many as the engine has when the first mask is drawn; they end with the process. */
    private static final class Helpers {
        static final ForkJoinPool POOL = new ForkJoinPool(Engine.threads());
    }
}
