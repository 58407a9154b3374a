package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
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
 *
 * @param fill the level of every channel where an operation leaves a gap: 128 in the authors' program for ImageNet, and
 *     here. That for CIFAR puts the mean colour there (125, 122, 113), or black if another operation came after.
 */
public record AutoAugment(Policy policy, int fill) implements Augmentation {
    private static final int GREY = 128;

    public AutoAugment {
        Objects.requireNonNull(policy, "policy");
        Canvas.requireLevel("fill", fill);
    }

    /** The published policies. */
    public enum Policy {
        /** 95 sub-policies, found on CIFAR-10 and used on CIFAR-100 too. */
        CIFAR10("cifar", Magnitudes.AUTO_AUGMENT_CIFAR),
        /** 25 sub-policies. */
        IMAGENET("imagenet", Magnitudes.AUTO_AUGMENT_IMAGENET);

        private final Magnitudes magnitudes;
        private final SubPolicy[] subPolicies;

        Policy(String name, Magnitudes magnitudes) {
            this.magnitudes = magnitudes;
            this.subPolicies = read(name).toArray(SubPolicy[]::new);
        }

        Magnitudes magnitudes() {
            return magnitudes;
        }

        List<SubPolicy> subPolicies() {
            return List.of(subPolicies);
        }

        SubPolicy draw(SplittableRandom random) {
            return subPolicies[random.nextInt(subPolicies.length)];
        }

        private static List<SubPolicy> read(String name) {
            String resource = "autoaugment-policies.csv";
            try (var reader = new BufferedReader(new InputStreamReader(
                    Objects.requireNonNull(AutoAugment.class.getResourceAsStream(resource), resource),
                    StandardCharsets.UTF_8))) {
                return reader.lines()
                        .map(line -> line.split(","))
                        .filter(fields -> fields[0].equals(name))
                        .map(fields -> new SubPolicy(step(fields, 2), step(fields, 5)))
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static SubPolicy.Step step(String[] fields, int first) {
            return new SubPolicy.Step(
                    Operation.named(fields[first]),
                    Double.parseDouble(fields[first + 1]),
                    Integer.parseInt(fields[first + 2]));
        }
    }

    /** The policy for CIFAR. */
    public static AutoAugment cifar10() {
        return new AutoAugment(Policy.CIFAR10, GREY);
    }

    /** The policy for ImageNet: on the image as it was cropped and flipped, before normalisation. */
    public static AutoAugment imageNet() {
        return new AutoAugment(Policy.IMAGENET, GREY);
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        var canvas = Canvas.on(image, shape, fill);
        var drawn = policy.draw(random);
        drawn.first().apply(canvas, policy.magnitudes, random);
        drawn.second().apply(canvas, policy.magnitudes, random);
    }
}
