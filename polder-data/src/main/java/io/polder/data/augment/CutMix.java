package io.polder.data.augment;

import io.polder.data.Batch;
import java.util.SplittableRandom;

/**
 * Pastes a box of one image into another and mixes their targets by area: "CutMix: Regularization Strategy to Train
 * Strong Classifiers with Localizable Features" (Yun et al., 2019).
 *
 * <p>For each batch λ ~ Beta(α, α) and one box of √(1 − λ) of the image's height and of its width (rounded down), its
 * centre equally likely at every pixel and clipped at the border. Every image gets that box of its partner, which a random
 * permutation of the batch says; an image may be its own, and then stays as it is. The targets become
 * {@code λ'·p + (1 − λ')·p of the partner}, with λ' the share of the image that the box truly leaves.
 *
 * <p>The authors' code halves the box's sides before it places them, so that theirs are always even; here they are not.
 *
 * @param alpha 1 in the paper, where the box's area before clipping is uniform; on CIFAR it mixes every other batch only,
 *     {@code new CutMix(1).withProbability(0.5)}
 */
public record CutMix(double alpha) implements BatchAugmentation {
    public CutMix {
        new SymmetricBeta(alpha);
    }

    @Override
    public void apply(Batch batch, SplittableRandom random) {
        var shape = batch.shape();
        double side = Math.sqrt(1 - new SymmetricBeta(alpha).draw(random));
        var box = Box.atRandomCentre((int) (side * shape.height()), (int) (side * shape.width()), shape, random);
        double kept = 1 - (double) box.area() / (shape.height() * shape.width());
        Partners.mix(batch, kept, (image, partner) -> box.copy(partner, image, shape), random);
    }
}
