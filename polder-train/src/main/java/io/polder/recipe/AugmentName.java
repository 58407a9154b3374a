package io.polder.recipe;

import io.polder.config.Named;

/** The pipelines of random changes to single training images. */
public enum AugmentName implements Named {
    NONE,
    /** Padded by 4, cropped, mirrored. */
    BASIC,
    /** Basic, padded by reflection. */
    BASIC_REFLECT,
    /** Basic without the mirroring, for digits. */
    PAD_CROP,
    /** Basic, then a blank square of 16. */
    CUTOUT,
    /** Basic, then AutoAugment's policies for CIFAR. */
    AUTOAUGMENT_CIFAR,
    /** A random crop of 224, mirrored, then AutoAugment's policies for ImageNet. */
    AUTOAUGMENT_IMAGENET,
    /** The paper's for vision transformers: resized to 72, mirrored, rotated, zoomed, cropped, resized to 48. */
    HEAVY,
    /** A random crop resized to 224, mirrored. */
    IMAGENET,
    /** Basic, then RandAugment. */
    RANDAUGMENT,
    /** Basic, then random erasing. */
    RANDOM_ERASING
}
