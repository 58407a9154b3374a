package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.ImageShape;
import io.polder.data.augment.PadCropFlip.Padding;
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

    private static byte[] randomImage(long seed) {
        byte[] image = new byte[SHAPE.bytes()];
        new SplittableRandom(seed).nextBytes(image);
        return image;
    }
}
