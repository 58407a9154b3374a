package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.tensor.RandomStreams;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BatchMixingTest {
    private static final ImageShape SHAPE = new ImageShape(3, 6, 9);
    private static final int PIXELS = 6 * 9;

    /** One rounding of a float a term. */
    private static final float ROUNDING = 1e-6f;

    @Test
    void cutMixPastesOneBoxOfAPartnerAndItsShareIsTheBoxesTrueArea() {
        int clipped = 0;
        for (int seed = 0; seed < 400; seed++) {
            int[] partners = new int[7];
            Arrays.fill(partners, -1);
            var random = new SplittableRandom(seed);
            var box = boxOf(seed);
            boolean atBorder = box.top() == 0 || box.left() == 0 || box.bottom() == 6 || box.right() == 9;
            clipped += atBorder ? 1 : 0;
            withBatch(plainImages(7), batch -> {
                new CutMix(1).apply(batch, random);
                for (int i = 0; i < 7; i++) {
                    byte[] image = imageOf(batch, i);
                    float[] target = targetOf(batch, i);
                    int partner = box.area() == 0 ? i : image[3 * (box.top() * 9 + box.left())];
                    partners[i] = partner;
                    int own = 0;
                    for (int pixel = 0; pixel < PIXELS; pixel++) {
                        int y = pixel / 9;
                        int x = pixel % 9;
                        boolean inside = y >= box.top() && y < box.bottom() && x >= box.left() && x < box.right();
                        for (int c = 0; c < 3; c++) {
                            assertThat(image[3 * pixel + c]).isEqualTo((byte) (inside ? partner : i));
                        }
                        own += inside ? 0 : 1;
                    }
                    assertThat(own).isEqualTo(PIXELS - box.area());
                    float[] expected = new float[7];
                    expected[i] += (float) own / PIXELS;
                    expected[partner] += 1 - (float) own / PIXELS;
                    assertThat(target).containsExactly(expected, within(ROUNDING));
                }
            });
            assertThat(partners).as("seed %d: everyone is a partner once", seed).containsOnlyOnce(0, 1, 2, 3, 4, 5, 6);
        }
        assertThat(clipped).as("the border is tried").isGreaterThan(100);
    }

    /** With α = 1 the area before clipping is uniform; what clipping leaves of each box is counted out over all its centres. */
    @Test
    void theShareThatCutMixLeavesIsThatOfAUniformAreaClipped() {
        int steps = 100_000;
        double mean = 0;
        for (int step = 0; step < steps; step++) {
            double side = Math.sqrt((step + 0.5) / steps);
            double kept = 1 - meanInside((int) (6 * side), 6) * meanInside((int) (9 * side), 9) / PIXELS;
            mean += kept / steps;
        }
        double expected = mean;
        int batches = 5000;
        double[] sums = new double[2];
        withBatch(plainImages(7), batch -> {
            for (int seed = 0; seed < batches; seed++) {
                var targets = batch.targets();
                for (int i = 0; i < 7 * 7; i++) {
                    targets.put(i, i % 8 == 0 ? 1 : 0);
                }
                new CutMix(1).apply(batch, new SplittableRandom(seed));
                double kept = 1;
                for (int i = 0; i < 7; i++) {
                    kept = Math.min(kept, targetOf(batch, i)[i]);
                }
                sums[0] += kept;
                sums[1] += kept * kept;
            }
        });
        double average = sums[0] / batches;
        double deviation = Math.sqrt(sums[1] / batches - average * average);
        // Five standard deviations; one permutation in 5040 leaves everything as it was. Seeds from 0.
        assertThat(average).isCloseTo(expected, within(5 * deviation / Math.sqrt(batches) + 1.0 / 5040));
    }

    @Test
    void partnersAreEveryPermutationEquallyOften() {
        Map<String, Integer> times = new HashMap<>();
        int[] permutation = {9, 9, 9, 9};
        for (int seed = 0; seed < 6000; seed++) {
            Partners.permute(permutation, 3, new SplittableRandom(seed));
            times.merge(Arrays.toString(permutation), 1, Integer::sum);
        }
        // 1000 expected of each, standard deviation 29.
        assertThat(times).hasSize(6).allSatisfy((order, n) -> {
            assertThat(order).endsWith(", 9]");
            assertThat(n).isBetween(830, 1170);
        });
    }

    @Test
    void mixupOfTwoByHand() {
        byte[] pixels = {0, (byte) 255, 10, 1, /* the other */ 100, 0, 20, 2};
        var images = new ImagesInMemory(new ImageShape(1, 2, 2), 3, pixels, new int[] {0, 2});
        withBatch(images, batch -> {
            Mixup.apply(batch, 0.75, swapOfTwo());
            // 0.75·0 + 0.25·100 = 25; 191.25; 12.5 goes up; 1.25
            assertThat(imageOf(batch, 0)).isEqualTo(new byte[] {25, (byte) 191, 13, 1});
            // 75; 63.75; 17.5 goes up; 1.75
            assertThat(imageOf(batch, 1)).isEqualTo(new byte[] {75, 64, 18, 2});
            assertThat(targetOf(batch, 0)).containsExactly(0.75f, 0, 0.25f);
            assertThat(targetOf(batch, 1)).containsExactly(0.25f, 0, 0.75f);
        });
    }

    /** The plain way keeps a copy of the whole batch, where the code goes round the permutation's cycles. */
    @Test
    void mixingInPlaceAgreesWithMixingFromACopy() {
        for (int seed = 0; seed < 200; seed++) {
            int size = 1 + seed % 17;
            long draws = seed;
            withBatch(noise(size, seed), batch -> {
                byte[][] images = new byte[size][];
                float[][] targets = new float[size][];
                for (int i = 0; i < size; i++) {
                    images[i] = imageOf(batch, i);
                    targets[i] = targetOf(batch, i);
                }
                var random = new SplittableRandom(draws);
                double share = new SymmetricBeta(0.7).draw(random);
                int[] partners = new int[size];
                Partners.permute(partners, size, random);

                new Mixup(0.7).apply(batch, new SplittableRandom(draws));
                for (int i = 0; i < size; i++) {
                    byte[] other = images[partners[i]];
                    for (int p = 0; p < other.length; p++) {
                        double exact = share * (images[i][p] & 0xff) + (1 - share) * (other[p] & 0xff);
                        assertThat(imageOf(batch, i)[p] & 0xff).isEqualTo((int) Math.round(exact));
                    }
                    for (int c = 0; c < targets[i].length; c++) {
                        assertThat(targetOf(batch, i)[c])
                                .isCloseTo(
                                        (float) (share * targets[i][c] + (1 - share) * targets[partners[i]][c]),
                                        within(ROUNDING));
                    }
                }
            });
        }
    }

    @Test
    void targetsSumToOneHoweverOftenTheyAreMixed() {
        withBatch(noise(16, 1), batch -> {
            for (int times = 1; times <= 10; times++) {
                new CutMix(1).apply(batch, new SplittableRandom(times));
                new Mixup(0.2).apply(batch, new SplittableRandom(-times));
                for (int i = 0; i < batch.size(); i++) {
                    float sum = 0;
                    for (float probability : targetOf(batch, i)) {
                        assertThat(probability).isBetween(0f, 1f);
                        sum += probability;
                    }
                    assertThat(sum).isCloseTo(1, within(times * ROUNDING));
                }
            }
        });
    }

    @Test
    void aSingleImageStays() {
        for (var mixing : new BatchAugmentation[] {new CutMix(1), new Mixup(1)}) {
            for (int seed = 0; seed < 50; seed++) {
                var random = new SplittableRandom(seed);
                withBatch(noise(1, seed), batch -> {
                    byte[] image = imageOf(batch, 0);
                    float[] target = targetOf(batch, 0);
                    mixing.apply(batch, random);
                    assertThat(imageOf(batch, 0)).isEqualTo(image);
                    assertThat(targetOf(batch, 0)).isEqualTo(target);
                });
            }
        }
    }

    @Test
    void eitherOfAppliesEachAsOftenAsItsProbabilitySays() {
        int[] times = new int[2];
        var either = new EitherOf((batch, random) -> times[0]++, 0.5, (batch, random) -> times[1]++, 0.3);
        int[] sometimes = new int[1];
        BatchAugmentation counting = (batch, random) -> sometimes[0]++;
        withBatch(plainImages(2), batch -> {
            for (int seed = 0; seed < 10_000; seed++) {
                either.apply(batch, new SplittableRandom(seed));
                counting.withProbability(0.2).apply(batch, new SplittableRandom(seed));
            }
        });
        // Five standard deviations.
        assertThat(times[0]).isBetween(4750, 5250);
        assertThat(times[1]).isBetween(2770, 3230);
        assertThat(sometimes[0]).isBetween(1800, 2200);
    }

    @Test
    void probabilitiesThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EitherOf(new CutMix(1), 0.7, new Mixup(1), 0.4))
                .withMessage("firstProbability is 0.7 and secondProbability 0.4: they must sum to at most 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CutMix(1).withProbability(Double.NaN))
                .withMessage("firstProbability is NaN: it must be 0 to 1");
    }

    /** The box of CutMix by the paper's formula, from the draws in their order. */
    private static Box boxOf(long seed) {
        var random = new SplittableRandom(seed);
        double side = Math.sqrt(1 - new SymmetricBeta(1).draw(random));
        int height = (int) (6 * side);
        int width = (int) (9 * side);
        int y = random.nextInt(6);
        int x = random.nextInt(9);
        return Box.around(y, x, height, width, SHAPE);
    }

    /** Of a length around each pixel of a line in turn, as much as lies in the line, on average. */
    private static double meanInside(int length, int line) {
        double sum = 0;
        for (int centre = 0; centre < line; centre++) {
            int first = centre - length / 2;
            sum += Math.min(line, first + length) - Math.max(0, first);
        }
        return sum / line;
    }

    private static SplittableRandom swapOfTwo() {
        int[] permutation = new int[2];
        long seed = 0;
        do {
            Partners.permute(permutation, 2, new SplittableRandom(++seed));
        } while (permutation[0] == 0);
        return new SplittableRandom(seed);
    }

    /** Image i has i in every byte and is of class i: whatever is in a batch says where it came from. */
    private static ImagesInMemory plainImages(int size) {
        byte[] pixels = new byte[size * SHAPE.bytes()];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (i / SHAPE.bytes());
        }
        return new ImagesInMemory(SHAPE, size, pixels, IntStream.range(0, size).toArray());
    }

    private static ImagesInMemory noise(int size, long seed) {
        byte[] pixels = new byte[size * SHAPE.bytes()];
        var random = new SplittableRandom(seed);
        random.nextBytes(pixels);
        return new ImagesInMemory(SHAPE, 5, pixels, random.ints(size, 0, 5).toArray());
    }

    /** All the images as one batch, which lasts as long as its epoch. */
    private static void withBatch(ImagesInMemory images, Consumer<Batch> test) {
        var options = LoaderOptions.evaluation(images.size()).withThreads(1);
        try (var loader = new Loader(images, options, new RandomStreams(1));
                var batches = loader.epoch(0)) {
            test.accept(batches.iterator().next());
        }
    }

    private static byte[] imageOf(Batch batch, int position) {
        byte[] image = new byte[batch.shape().bytes()];
        batch.pixels().get(position * image.length, image);
        return image;
    }

    private static float[] targetOf(Batch batch, int position) {
        float[] target = new float[batch.classes()];
        batch.targets().get(position * target.length, target);
        return target;
    }
}
