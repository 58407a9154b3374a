package io.polder.data.augment;

import io.polder.data.Batch;
import java.util.SplittableRandom;

/**
 * Averages pairs of images and of targets: "mixup: Beyond Empirical Risk Minimization" (Zhang, Cisse, Dauphin and
 * Lopez-Paz, 2018).
 *
 * <p>For each batch one λ ~ Beta(α, α); every image becomes λ·x + (1 − λ)·x of its partner, which a random permutation of
 * the batch says, and every target likewise. An image may be its own partner, and then stays as it is.
 *
 * <p>Mixes bytes, where the authors' code mixes normalised numbers. Normalisation is affine, so the two agree but for
 * rounding to the nearest of 256 levels (a half goes up): a pixel is off by half a level at most, 0.002 of the range. The
 * targets are not rounded so.
 *
 * @param alpha 1 on CIFAR in the paper, 0.1 to 0.4 on ImageNet
 */
public record Mixup(double alpha) implements BatchAugmentation {
    public Mixup {
        new SymmetricBeta(alpha);
    }

    @Override
    public void apply(Batch batch, SplittableRandom random) {
        apply(batch, new SymmetricBeta(alpha).draw(random), random);
    }

    /** With a share of one's choice, for the tests. */
    static void apply(Batch batch, double share, SplittableRandom random) {
        Partners.mix(batch, share, (image, partner) -> average(image, partner, share), random);
    }

    private static void average(byte[] image, byte[] partner, double share) {
        for (int i = 0; i < image.length; i++) {
            double mixed = share * Byte.toUnsignedInt(image[i]) + (1 - share) * Byte.toUnsignedInt(partner[i]);
            image[i] = (byte) (mixed + 0.5);
        }
    }
}
