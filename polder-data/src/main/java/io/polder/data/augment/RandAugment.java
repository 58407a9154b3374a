package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.List;
import java.util.SplittableRandom;

/**
 * N operations on each image, all at the same magnitude M: "RandAugment: Practical Automated Data Augmentation with a
 * Reduced Search Space" (Cubuk, Zoph, Shlens and Le, 2020).
 *
 * <p>Each of the paper's fourteen operations is equally likely each time, one of them to do nothing. Magnitudes are
 * torchvision's, of 0 to 30, and every operation but posterize, solarize, equalize and auto-contrast goes either way; at 0
 * all but equalize and auto-contrast leave the image as it is, but for the level 255, which solarize makes 0. (The
 * paper's figures are of a program whose enhancement is 0.1 at 0 and 1.9 at 10.)
 *
 * @param operations N of the paper: 1 to 3 there
 * @param magnitude M of the paper, 0 to 30
 */
public record RandAugment(int operations, int magnitude) implements Augmentation {
    static final List<Operation> CHOICES = List.of(
            Operation.IDENTITY,
            Operation.SHEAR_X,
            Operation.SHEAR_Y,
            Operation.TRANSLATE_X,
            Operation.TRANSLATE_Y,
            Operation.ROTATE,
            Operation.BRIGHTNESS,
            Operation.COLOR,
            Operation.CONTRAST,
            Operation.SHARPNESS,
            Operation.POSTERIZE,
            Operation.SOLARIZE,
            Operation.AUTO_CONTRAST,
            Operation.EQUALIZE);

    private static final Magnitudes MAGNITUDES = Magnitudes.RAND_AUGMENT;

    public RandAugment {
        if (operations < 1) {
            throw new IllegalArgumentException("operations is " + operations + ": it must be at least 1");
        }
        if (magnitude < 0 || magnitude > MAGNITUDES.levels()) {
            throw new IllegalArgumentException(
                    "magnitude is " + magnitude + ": it must be 0 to " + MAGNITUDES.levels());
        }
    }

    /** torchvision's defaults: two operations of magnitude 9. */
    public RandAugment() {
        this(2, 9);
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        var canvas = Canvas.on(image, shape);
        for (int i = 0; i < operations; i++) {
            var operation = draw(random);
            int sign = random.nextBoolean() ? 1 : -1;
            operation.apply(canvas, MAGNITUDES.argument(operation, magnitude, shape, sign), random);
        }
    }

    static Operation draw(SplittableRandom random) {
        return CHOICES.get(random.nextInt(CHOICES.size()));
    }
}
