package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.ImageShape;
import io.polder.data.augment.PadCropFlip.Padding;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class AugmentationTest {
    private static final ImageShape SHAPE = new ImageShape(3, 8, 6);

    @Test
    void thenIsOneAfterTheOtherOnTheSameDraws() {
        var first = new PadCropFlip(2, Padding.REFLECT, true);
        var second = new Cutout(3);
        var third = new RandomErasing();
        for (int seed = 0; seed < 200; seed++) {
            byte[] expected = randomImage(seed);
            var random = new SplittableRandom(seed);
            first.apply(expected, SHAPE, random);
            second.apply(expected, SHAPE, random);
            third.apply(expected, SHAPE, random);

            byte[] leftFirst = randomImage(seed);
            first.then(second).then(third).apply(leftFirst, SHAPE, new SplittableRandom(seed));
            assertThat(leftFirst).as("seed %d", seed).isEqualTo(expected);

            byte[] rightFirst = randomImage(seed);
            first.then(second.then(third)).apply(rightFirst, SHAPE, new SplittableRandom(seed));
            assertThat(rightFirst).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void nothingThenSomethingIsSomething() {
        byte[] expected = randomImage(1);
        new Cutout(3).apply(expected, SHAPE, new SplittableRandom(2));
        for (var augmentation :
                new Augmentation[] {Augmentation.NONE.then(new Cutout(3)), new Cutout(3).then(Augmentation.NONE)}) {
            byte[] image = randomImage(1);
            augmentation.apply(image, SHAPE, new SplittableRandom(2));
            assertThat(image).isEqualTo(expected);
        }
    }

    /** An image of 15,552 bytes is not to cost a fiftieth of that in garbage; what the just-in-time compiler leaves is less still. */
    @Test
    void anImageMakesNoGarbage() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var shape = new ImageShape(3, 72, 72);
        byte[] image = new byte[shape.bytes()];
        for (var augmentation : List.of(
                new PadCropFlip(4, Padding.ZERO, true).then(AutoAugment.CIFAR10),
                AutoAugment.IMAGENET,
                new RandAugment(),
                new ColourJitter(0.4, 0.4, 0.4, 0.1),
                new Heavy())) {
            var random = new SplittableRandom(1);
            random.nextBytes(image);
            for (int i = 0; i < 200; i++) {
                augmentation.apply(image, shape, random);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                augmentation.apply(image, shape, random);
            }
            long garbage = (threads.getCurrentThreadAllocatedBytes() - before) / 1000;
            assertThat(garbage).as("bytes an image of %s", augmentation).isLessThan(307);
        }
    }

    private static byte[] randomImage(long seed) {
        byte[] image = new byte[SHAPE.bytes()];
        new SplittableRandom(seed).nextBytes(image);
        return image;
    }
}
