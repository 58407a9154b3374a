package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.data.augment.BatchAugmentation;
import io.polder.data.augment.EitherOf;

/**
 * How the images of a batch are mixed with one another. The loss takes probabilities whatever the mixing, so a recipe cannot ask
 * for CutMix without soft targets.
 */
@ByName("name")
public sealed interface BatchMixing {
    String CUTMIX_ALPHA = "1.0";
    String MIXUP_ALPHA = "0.2";
    String PROBABILITY = "How often a batch is mixed at all.";

    /** What is done to a batch. */
    BatchAugmentation augmentation();

    @Called(value = "none", about = "Each image by itself.")
    record None() implements BatchMixing {
        @Override
        public BatchAugmentation augmentation() {
            return BatchAugmentation.NONE;
        }
    }

    @Called(value = "cutmix", about = "A box of a partner is pasted into each image.")
    record CutMix(
            @Field(
                    about =
                            "λ ~ Beta(α, α) is the share of the first image; 1 draws it evenly, as the CutMix paper does.",
                    fallback = CUTMIX_ALPHA,
                    above = 0)
            double alpha,

            @Field(about = PROBABILITY, fallback = "1.0", above = 0, max = 1)
            double probability)
            implements BatchMixing {
        public CutMix {
            Values.checked(CutMix.class, alpha, probability);
        }

        @Override
        public BatchAugmentation augmentation() {
            return new io.polder.data.augment.CutMix(alpha).withProbability(probability);
        }
    }

    @Called(value = "mixup", about = "Each image is averaged with a partner.")
    record Mixup(
            @Field(
                    about = "λ ~ Beta(α, α) is the share of the first image; 0.2 is the mixup paper's for ImageNet.",
                    fallback = MIXUP_ALPHA,
                    above = 0)
            double alpha,

            @Field(about = PROBABILITY, fallback = "1.0", above = 0, max = 1)
            double probability)
            implements BatchMixing {
        public Mixup {
            Values.checked(Mixup.class, alpha, probability);
        }

        @Override
        public BatchAugmentation augmentation() {
            return new io.polder.data.augment.Mixup(alpha).withProbability(probability);
        }
    }

    /** On each batch one of both, by turns of a fair coin. */
    @Called(value = "cutmix-or-mixup", about = "On each batch one of both, by a fair coin.")
    record CutMixOrMixup(
            @Field(about = "CutMix's α.", fallback = CUTMIX_ALPHA, above = 0)
            double cutmixAlpha,

            @Field(about = "Mixup's α.", fallback = MIXUP_ALPHA, above = 0)
            double mixupAlpha,

            @Field(about = PROBABILITY, fallback = "1.0", above = 0, max = 1)
            double probability)
            implements BatchMixing {
        public CutMixOrMixup {
            Values.checked(CutMixOrMixup.class, cutmixAlpha, mixupAlpha, probability);
        }

        @Override
        public BatchAugmentation augmentation() {
            return new EitherOf(
                    new io.polder.data.augment.CutMix(cutmixAlpha),
                    probability / 2,
                    new io.polder.data.augment.Mixup(mixupAlpha),
                    probability / 2);
        }
    }
}
