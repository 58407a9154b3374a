package io.polder.data.augment;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The operations of AutoAugment and RandAugment, in the order and by the names of the former's table. What their
 * argument is stands beside each; which level of a policy means which argument, {@link Magnitudes} say.
 */
enum Operation {
    /** By how far a row moves for each row below the first; the first stays. */
    SHEAR_X("ShearX", (canvas, shear, random) -> canvas.affine(1, shear, 0, 0, 1, 0)),
    SHEAR_Y("ShearY", (canvas, shear, random) -> canvas.affine(1, 0, 0, shear, 1, 0)),
    /** Whole pixels; a positive number moves the image to the left, or up. */
    TRANSLATE_X("TranslateX", (canvas, pixels, random) -> canvas.translate((int) pixels, 0)),
    TRANSLATE_Y("TranslateY", (canvas, pixels, random) -> canvas.translate(0, (int) pixels)),
    /** Degrees, anticlockwise. */
    ROTATE("Rotate", (canvas, degrees, random) -> canvas.rotate(degrees)),
    AUTO_CONTRAST("AutoContrast", (canvas, none, random) -> canvas.autoContrast()),
    INVERT("Invert", (canvas, none, random) -> canvas.invert()),
    EQUALIZE("Equalize", (canvas, none, random) -> canvas.equalize()),
    /** From this level on, 0 to 256, brightness is inverted. */
    SOLARIZE("Solarize", (canvas, threshold, random) -> canvas.solarize((int) threshold)),
    /** The bits that stay, 1 to 8. */
    POSTERIZE("Posterize", (canvas, bits, random) -> canvas.posterize((int) bits)),
    /** The factor of an enhancement: 1 changes nothing, 0 leaves nothing. */
    CONTRAST("Contrast", (canvas, factor, random) -> canvas.contrast(factor)),
    COLOR("Color", (canvas, factor, random) -> canvas.color(factor)),
    BRIGHTNESS("Brightness", (canvas, factor, random) -> canvas.brightness(factor)),
    SHARPNESS("Sharpness", (canvas, factor, random) -> canvas.sharpness(factor)),
    /** The side of a square in pixels, its centre equally likely at every pixel. */
    CUTOUT("Cutout", (canvas, side, random) -> {
        var box = Box.atRandomCentre((int) side, (int) side, canvas.shape(), random);
        box.fill(Canvas.GAP, canvas.image(), canvas.shape());
    }),
    /** What is added to levels below 128; in the published policy for ImageNet, though not in the paper's table. */
    SOLARIZE_ADD("SolarizeAdd", (canvas, addition, random) -> canvas.solarizeAdd((int) addition)),
    /** RandAugment's fourteenth. */
    IDENTITY("Identity", (canvas, none, random) -> {});

    private interface Change {
        void make(Canvas canvas, double argument, SplittableRandom random);
    }

    private final String published;
    private final Change change;

    Operation(String published, Change change) {
        this.published = published;
        this.change = change;
    }

    /** By the name that the papers and Pillow use. */
    static Operation named(String published) {
        return Arrays.stream(values())
                .filter(operation -> operation.published.equals(published))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("operation is " + published + ": it must be one of "
                        + Arrays.stream(values())
                                .map(it -> it.published)
                                .sorted()
                                .toList()));
    }

    /** @param random for the place of a cutout; the others draw nothing */
    void apply(Canvas canvas, double argument, SplittableRandom random) {
        change.make(canvas, argument, random);
    }
}
