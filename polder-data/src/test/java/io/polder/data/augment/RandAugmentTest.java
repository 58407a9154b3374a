package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.ImageShape;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RandAugmentTest {
    private static final ImageShape SHAPE = new ImageShape(3, 331, 224);

    @Test
    void everyOperationIsEquallyLikely() {
        Map<Operation, Integer> times = new EnumMap<>(Operation.class);
        for (int seed = 0; seed < 14_000; seed++) {
            times.merge(RandAugment.draw(new SplittableRandom(seed)), 1, Integer::sum);
        }
        // 1000 expected, standard deviation 30; seeds from 0.
        assertThat(times).hasSize(14).allSatisfy((operation, n) -> assertThat(n).isBetween(840, 1160));
    }

    @Test
    void magnitudesAreTorchvisions() {
        var magnitudes = Magnitudes.RAND_AUGMENT;
        assertThat(magnitudes.argument(Operation.ROTATE, 9, SHAPE, -1)).isCloseTo(-9, within(1e-12));
        assertThat(magnitudes.argument(Operation.SHEAR_X, 30, SHAPE, 1)).isCloseTo(0.3, within(1e-12));
        assertThat(magnitudes.argument(Operation.TRANSLATE_Y, 30, SHAPE, 1)).isEqualTo(150);
        // 9/30 of 150/331 of 224 is 30.45.
        assertThat(magnitudes.argument(Operation.TRANSLATE_X, 9, SHAPE, -1)).isEqualTo(-30);
        assertThat(magnitudes.argument(Operation.BRIGHTNESS, 9, SHAPE, -1)).isCloseTo(0.73, within(1e-12));
        assertThat(magnitudes.argument(Operation.COLOR, 30, SHAPE, 1)).isCloseTo(1.9, within(1e-12));
        assertThat(magnitudes.argument(Operation.POSTERIZE, 9, SHAPE, 1)).isEqualTo(7);
        assertThat(magnitudes.argument(Operation.POSTERIZE, 30, SHAPE, 1)).isEqualTo(4);
        // From 178.5 on is from 179 on.
        assertThat(magnitudes.argument(Operation.SOLARIZE, 9, SHAPE, 1)).isEqualTo(179);
    }

    @Test
    void atMagnitudeZeroOnlyEqualizeAndAutoContrastAreLeft() {
        var shape = new ImageShape(3, 20, 20);
        for (int seed = 0; seed < 500; seed++) {
            byte[] image = AutoAugmentTest.noise(shape, seed);
            for (int i = 0; i < image.length; i++) {
                image[i] = (byte) Math.min(254, image[i] & 0xff);
            }
            byte[] before = image.clone();
            new RandAugment(1, 0).apply(image, shape, new SplittableRandom(seed));
            var operation = RandAugment.draw(new SplittableRandom(seed));
            if (operation != Operation.EQUALIZE && operation != Operation.AUTO_CONTRAST) {
                assertThat(image).as("seed %d: %s", seed, operation).isEqualTo(before);
            }
        }
    }

    @Test
    void asManyOperationsAsAskedForOneAfterTheOther() {
        var shape = new ImageShape(3, 9, 11);
        for (int seed = 0; seed < 500; seed++) {
            byte[] expected = AutoAugmentTest.noise(shape, seed);
            var random = new SplittableRandom(seed);
            for (int i = 0; i < 3; i++) {
                new RandAugment(1, 12).apply(expected, shape, random);
            }
            byte[] image = AutoAugmentTest.noise(shape, seed);
            new RandAugment(3, 12).apply(image, shape, new SplittableRandom(seed));
            assertThat(image).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void numbersThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandAugment(0, 9))
                .withMessage("operations is 0: it must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandAugment(2, 31))
                .withMessage("magnitude is 31: it must be 0 to 30");
    }
}
