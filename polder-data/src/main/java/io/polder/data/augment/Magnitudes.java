package io.polder.data.augment;

import io.polder.data.ImageShape;

/**
 * What the level of an operation means: the tables of the published programs, which differ.
 *
 * <p>Levels go from 0 to {@link #levels}. Geometry goes either way with the same probability, whatever the table.
 */
enum Magnitudes {
    /**
     * The authors' program for CIFAR (the TensorFlow models repository, {@code research/autoaugment}), with which the 95
     * sub-policies came: the higher the level, the fewer bits are kept and the more levels are solarized. It moves by 10
     * pixels at most, of 32; here by that share of another size.
     */
    AUTO_AUGMENT_CIFAR(10, 10.0 / 32) {
        @Override
        double argument(Operation operation, int level, ImageShape shape, int sign) {
            return switch (operation) {
                case POSTERIZE -> Math.max(1, 4 - (int) scaled(level, 4));
                case SOLARIZE -> 256 - (int) scaled(level, 256);
                default -> common(operation, level, shape, sign);
            };
        }
    },

    /**
     * The authors' program for ImageNet (the TensorFlow TPU repository, {@code efficientnet/autoaugment.py}), with which
     * the 25 sub-policies came: the level is the number of bits or the threshold itself. That program moves by up to 250
     * pixels whatever the image's size; here it is the paper's 150 of 331, its images' side.
     */
    AUTO_AUGMENT_IMAGENET(10, 150.0 / 331) {
        @Override
        double argument(Operation operation, int level, ImageShape shape, int sign) {
            return switch (operation) {
                // Of 0 bits, that program's shifts keep one.
                case POSTERIZE -> Math.max(1, (int) scaled(level, 4));
                case SOLARIZE -> (int) scaled(level, 256);
                default -> common(operation, level, shape, sign);
            };
        }
    },

    /** torchvision's for RandAugment: 0 changes nothing, and enhancement goes either way too. */
    RAND_AUGMENT(30, 150.0 / 331) {
        @Override
        double argument(Operation operation, int level, ImageShape shape, int sign) {
            return switch (operation) {
                case POSTERIZE -> 8 - Math.rint(scaled(level, 4));
                // Above 255 - x there is nothing between whole levels.
                case SOLARIZE -> Math.ceil(255 - scaled(level, 255));
                case CONTRAST, COLOR, BRIGHTNESS, SHARPNESS -> 1 + sign * scaled(level, 0.9);
                default -> common(operation, level, shape, sign);
            };
        }
    };

    private final int levels;
    private final double reach;

    /** @param reach how far a translation goes, as a share of the side */
    Magnitudes(int levels, double reach) {
        this.levels = levels;
        this.reach = reach;
    }

    int levels() {
        return levels;
    }

    /** @param sign 1 or -1, for what goes either way */
    abstract double argument(Operation operation, int level, ImageShape shape, int sign);

    final double common(Operation operation, int level, ImageShape shape, int sign) {
        return switch (operation) {
            case SHEAR_X, SHEAR_Y -> sign * scaled(level, 0.3);
            case TRANSLATE_X -> sign * (int) scaled(level, reach * shape.width());
            case TRANSLATE_Y -> sign * (int) scaled(level, reach * shape.height());
            case ROTATE -> sign * scaled(level, 30);
            case CONTRAST, COLOR, BRIGHTNESS, SHARPNESS -> 0.1 + scaled(level, 1.8);
            case CUTOUT -> (int) scaled(level, 20);
            case SOLARIZE_ADD -> (int) scaled(level, 110);
            case AUTO_CONTRAST, INVERT, EQUALIZE, IDENTITY -> 0;
            case POSTERIZE, SOLARIZE -> throw new AssertionError(operation + " is each table's own");
        };
    }

    final double scaled(int level, double most) {
        return level * most / levels;
    }
}
