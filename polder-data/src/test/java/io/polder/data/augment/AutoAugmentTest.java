package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.ImageShape;
import io.polder.data.augment.AutoAugment.Step;
import io.polder.data.augment.AutoAugment.SubPolicy;
import io.polder.data.augment.PadCropFlip.Padding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class AutoAugmentTest {
    private static final ImageShape CIFAR = new ImageShape(3, 32, 32);
    private static final ImageShape IMAGENET = new ImageShape(3, 224, 331);

    @Test
    void thePublishedPoliciesAreThere() {
        var cifar = AutoAugment.CIFAR10.subPolicies();
        assertThat(cifar).hasSize(95);
        assertThat(cifar.get(0))
                .isEqualTo(new SubPolicy(new Step(Operation.INVERT, 0.1, 7), new Step(Operation.CONTRAST, 0.2, 6)));
        assertThat(cifar.get(94))
                .isEqualTo(new SubPolicy(new Step(Operation.EQUALIZE, 0.6, 9), new Step(Operation.EQUALIZE, 0.4, 4)));
        var imageNet = AutoAugment.IMAGENET.subPolicies();
        assertThat(imageNet).hasSize(25);
        assertThat(imageNet.get(22))
                .isEqualTo(new SubPolicy(new Step(Operation.POSTERIZE, 0.8, 2), new Step(Operation.SOLARIZE, 0.6, 10)));
        var named = EnumSet.noneOf(Operation.class);
        for (var policy : AutoAugment.values()) {
            for (var subPolicy : policy.subPolicies()) {
                named.add(subPolicy.first().operation());
                named.add(subPolicy.second().operation());
            }
        }
        assertThat(EnumSet.complementOf(named)).as("in neither policy").containsExactly(Operation.IDENTITY);
    }

    @Test
    void levelsMeanWhatThePublishedProgramsSay() {
        var cifar = Magnitudes.AUTO_AUGMENT_CIFAR;
        assertThat(cifar.argument(Operation.ROTATE, 10, CIFAR, -1)).isEqualTo(-30);
        assertThat(cifar.argument(Operation.SHEAR_Y, 8, CIFAR, 1)).isCloseTo(0.24, within(1e-12));
        assertThat(cifar.argument(Operation.SHEAR_X, 10, CIFAR, -1)).isCloseTo(-0.3, within(1e-12));
        for (int level = 0; level <= 10; level++) {
            assertThat(cifar.argument(Operation.TRANSLATE_X, level, CIFAR, 1)).isEqualTo(level);
            assertThat(cifar.argument(Operation.TRANSLATE_Y, level, CIFAR, -1)).isEqualTo(-level);
        }
        assertThat(cifar.argument(Operation.POSTERIZE, 7, CIFAR, 1)).isEqualTo(2);
        assertThat(cifar.argument(Operation.POSTERIZE, 0, CIFAR, 1)).isEqualTo(4);
        assertThat(cifar.argument(Operation.SOLARIZE, 0, CIFAR, 1)).isEqualTo(256);
        assertThat(cifar.argument(Operation.SOLARIZE, 5, CIFAR, 1)).isEqualTo(128);
        assertThat(cifar.argument(Operation.CUTOUT, 3, CIFAR, 1)).isEqualTo(6);
        assertThat(cifar.argument(Operation.COLOR, 0, CIFAR, -1)).isEqualTo(0.1);
        assertThat(cifar.argument(Operation.CONTRAST, 10, CIFAR, -1)).isCloseTo(1.9, within(1e-12));
        assertThat(cifar.argument(Operation.SHARPNESS, 5, CIFAR, 1)).isCloseTo(1, within(1e-12));

        var imageNet = Magnitudes.AUTO_AUGMENT_IMAGENET;
        assertThat(imageNet.argument(Operation.TRANSLATE_X, 10, IMAGENET, 1)).isEqualTo(150);
        // 9/10 of 150/331 of 224 is 91.36.
        assertThat(imageNet.argument(Operation.TRANSLATE_Y, 9, IMAGENET, -1)).isEqualTo(-91);
        assertThat(imageNet.argument(Operation.POSTERIZE, 6, IMAGENET, 1)).isEqualTo(2);
        assertThat(imageNet.argument(Operation.POSTERIZE, 2, IMAGENET, 1)).isEqualTo(1);
        assertThat(imageNet.argument(Operation.SOLARIZE, 3, IMAGENET, 1)).isEqualTo(76);
        assertThat(imageNet.argument(Operation.SOLARIZE, 10, IMAGENET, 1)).isEqualTo(256);
        assertThat(imageNet.argument(Operation.SOLARIZE_ADD, 7, IMAGENET, 1)).isEqualTo(77);
    }

    @Test
    void everySubPolicyIsEquallyLikely() {
        for (var policy : AutoAugment.values()) {
            int expected = 1000;
            int size = policy.subPolicies().size();
            // Not by value: a policy may have a sub-policy twice.
            Map<SubPolicy, Integer> times = new IdentityHashMap<>();
            for (int seed = 0; seed < expected * size; seed++) {
                times.merge(policy.draw(new SplittableRandom(seed)), 1, Integer::sum);
            }
            // Standard deviation 32.
            assertThat(times).as("%s, seeds from 0", policy).hasSize(size);
            assertThat(times.values()).allSatisfy(n -> assertThat(n).isBetween(830, 1170));
        }
    }

    @Test
    void anOperationHappensWithItsProbabilityAndGeometryGoesEitherWay() {
        int draws = 10_000;
        for (var subPolicy : AutoAugment.CIFAR10.subPolicies()) {
            for (var step : List.of(subPolicy.first(), subPolicy.second())) {
                int happened = 0;
                int positive = 0;
                for (int seed = 0; seed < draws; seed++) {
                    var random = new SplittableRandom(seed);
                    happened += step.happens(random) ? 1 : 0;
                    positive += step.argument(Magnitudes.AUTO_AUGMENT_CIFAR, CIFAR, random) > 0 ? 1 : 0;
                }
                // Five standard deviations of a half are 250.
                assertThat(happened)
                        .as("%s, seeds from 0", step)
                        .isCloseTo((int) Math.round(draws * step.probability()), within(250));
                boolean geometric = step.operation().ordinal() <= Operation.ROTATE.ordinal();
                if (geometric && step.level() > 0) {
                    assertThat(positive).as("%s, seeds from 0", step).isCloseTo(draws / 2, within(250));
                }
            }
        }
    }

    /** Draw by draw in the documented order: a sub-policy, then for each operation whether it happens, and its sign. */
    @Test
    void anImageIsWhatItsDrawsSay() {
        for (var augment : AutoAugment.values()) {
            int changed = 0;
            for (int seed = 0; seed < 2000; seed++) {
                byte[] expected = noise(CIFAR, seed);
                var draws = new SplittableRandom(seed);
                var all = augment.subPolicies();
                var drawn = all.get(draws.nextInt(all.size()));
                for (var step : List.of(drawn.first(), drawn.second())) {
                    if (draws.nextDouble() < step.probability()) {
                        int sign = draws.nextBoolean() ? 1 : -1;
                        double argument = augment.magnitudes().argument(step.operation(), step.level(), CIFAR, sign);
                        step.operation().apply(Canvas.on(expected, CIFAR), argument, draws);
                    }
                }
                byte[] image = noise(CIFAR, seed);
                augment.apply(image, CIFAR, new SplittableRandom(seed));
                assertThat(image).as("seed %d", seed).isEqualTo(expected);
                changed += Arrays.equals(image, noise(CIFAR, seed)) ? 0 : 1;
            }
            assertThat(changed).as("of 2000").isGreaterThan(800);
        }
    }

    @Test
    void manyThreadsMakeTheSameBytesAsOne() throws InterruptedException, ExecutionException {
        var augmentations = List.of(
                new PadCropFlip(4, Padding.ZERO, true).then(AutoAugment.CIFAR10),
                AutoAugment.IMAGENET,
                new RandAugment(),
                new ColourJitter(0.4, 0.4, 0.4, 0.1));
        // Sizes in turn, so that scratch memory is grown and used again.
        var shapes = List.of(CIFAR, new ImageShape(3, 20, 45), new ImageShape(3, 7, 6));
        Callable<List<byte[]>> work = () -> {
            List<byte[]> images = new ArrayList<>();
            for (int seed = 0; seed < 600; seed++) {
                var shape = shapes.get(seed % 3);
                byte[] image = noise(shape, seed);
                augmentations.get(seed % 4).apply(image, shape, new SplittableRandom(seed));
                images.add(image);
            }
            return images;
        };
        var pool = Executors.newFixedThreadPool(5);
        try {
            List<Future<List<byte[]>>> results = pool.invokeAll(List.of(work, work, work, work, work));
            List<byte[]> first = results.get(0).get();
            for (var result : results) {
                for (int i = 0; i < first.size(); i++) {
                    assertThat(result.get().get(i)).as("seed %d", i).isEqualTo(first.get(i));
                }
            }
        } finally {
            pool.shutdown();
        }
    }

    static byte[] noise(ImageShape shape, long seed) {
        byte[] image = new byte[shape.bytes()];
        new SplittableRandom(~seed).nextBytes(image);
        return image;
    }
}
