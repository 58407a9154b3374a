package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Two operations on each image, from a policy that was learned: "AutoAugment: Learning Augmentation Policies from Data"
 * (Cubuk, Zoph, Mané, Vasudevan and Le, 2019).
 *
 * <p>One of the policy's sub-policies, each equally likely; of its two operations each with its own probability, at its
 * own level. The operations are Pillow's, bit for bit. The policies and what their levels mean are those of the authors'
 * programs, not the tables in the paper's appendix, which name 25 sub-policies each; docs/augmentation.md has the numbers.
 *
 * <p>Where the published programs have faults, this follows the paper: the one that SAM's authors use moves by up to 250
 * pixels on images of 32 as well, which leaves them blank, and takes the number of pixels over 256 for their mean in
 * Contrast; the one for CIFAR cuts out a rectangle with its coordinates mixed up.
 */
public enum AutoAugment implements Augmentation {
    /** 95 sub-policies, found on CIFAR-10 and used on CIFAR-100 too. */
    CIFAR10("cifar", Magnitudes.AUTO_AUGMENT_CIFAR),
    /** 25 sub-policies: on the image as it was cropped and flipped, before normalisation. */
    IMAGENET("imagenet", Magnitudes.AUTO_AUGMENT_IMAGENET);

    /** Two operations of a policy, one after the other. */
    record SubPolicy(Step first, Step second) {}

    record Step(Operation operation, double probability, int level) {
        Step {
            EitherOf.requireProbability("probability", probability);
            if (level < 0 || level > 10) {
                throw new IllegalArgumentException("level is " + level + ": it must be 0 to 10");
            }
        }

        boolean happens(SplittableRandom random) {
            return random.nextDouble() < probability;
        }

        double argument(Magnitudes magnitudes, ImageShape shape, SplittableRandom random) {
            return magnitudes.argument(operation, level, shape, random.nextBoolean() ? 1 : -1);
        }

        void apply(Canvas canvas, Magnitudes magnitudes, SplittableRandom random) {
            if (happens(random)) {
                operation.apply(canvas, argument(magnitudes, canvas.shape(), random), random);
            }
        }
    }

    private final Magnitudes magnitudes;
    private final List<SubPolicy> subPolicies;

    AutoAugment(String name, Magnitudes magnitudes) {
        this.magnitudes = magnitudes;
        this.subPolicies = read(name);
    }

    Magnitudes magnitudes() {
        return magnitudes;
    }

    List<SubPolicy> subPolicies() {
        return subPolicies;
    }

    SubPolicy draw(SplittableRandom random) {
        return subPolicies.get(random.nextInt(subPolicies.size()));
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        var canvas = Canvas.on(image, shape);
        var drawn = draw(random);
        drawn.first().apply(canvas, magnitudes, random);
        drawn.second().apply(canvas, magnitudes, random);
    }

    private static List<SubPolicy> read(String name) {
        try (InputStream file = AutoAugment.class.getResourceAsStream("autoaugment-policies.csv")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(","))
                    .filter(fields -> fields[0].equals(name))
                    .map(fields -> new SubPolicy(step(fields, 2), step(fields, 5)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Step step(String[] fields, int first) {
        return new Step(
                Operation.named(fields[first]),
                Double.parseDouble(fields[first + 1]),
                Integer.parseInt(fields[first + 2]));
    }
}
