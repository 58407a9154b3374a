package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Changes brightness, contrast, saturation and hue by random amounts, in a random order: torchvision's {@code ColorJitter},
 * with Pillow's arithmetic.
 *
 * <p>A factor is uniform in 1 − x to 1 + x, though not below 0; the hue moves by a share of a turn uniform in −hue to hue.
 * Each of the 24 orders is equally likely. A grey image (of one channel) has neither saturation nor hue to change.
 *
 * @param brightness x for the factor from black, at least 0, as for the next two; 0 leaves it alone
 * @param contrast x for the factor from the image's mean grey
 * @param saturation x for the factor from the image in greys
 * @param hue 0 to 0.5, of a turn
 */
public record ColourJitter(double brightness, double contrast, double saturation, double hue) implements Augmentation {
    /** Of brightness, contrast and saturation, as is usual on ImageNet. */
    public static final double USUAL_STRENGTH = 0.4;

    public static final double USUAL_HUE = 0.1;

    private static final int CHANGES = 4;
    private static final int[][] ORDERS = orders();

    public ColourJitter {
        requireStrength("brightness", brightness);
        requireStrength("contrast", contrast);
        requireStrength("saturation", saturation);
        if (!(hue >= 0 && hue <= 0.5)) {
            throw new IllegalArgumentException("hue is " + hue + ": it must be 0 to 0.5");
        }
    }

    public ColourJitter() {
        this(USUAL_STRENGTH, USUAL_STRENGTH, USUAL_STRENGTH, USUAL_HUE);
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        var canvas = Canvas.on(image, shape);
        int[] order = drawOrder(random);
        double brighter = factor(brightness, random);
        double starker = factor(contrast, random);
        double richer = factor(saturation, random);
        int turned = shift(random);
        for (int change : order) {
            if (change == 0 && brightness > 0) {
                canvas.brightness(brighter);
            } else if (change == 1 && contrast > 0) {
                canvas.contrast(starker);
            } else if (change == 2 && saturation > 0) {
                canvas.color(richer);
            } else if (change == 3 && hue > 0) {
                canvas.hue(turned);
            }
        }
    }

    static int[] drawOrder(SplittableRandom random) {
        return ORDERS[random.nextInt(ORDERS.length)];
    }

    static double factor(double strength, SplittableRandom random) {
        double least = Math.max(0, 1 - strength);
        return least + (1 + strength - least) * random.nextDouble();
    }

    /** In 255ths of a turn, without their fraction, as torchvision has it of Pillow's images. */
    private int shift(SplittableRandom random) {
        return (int) ((2 * random.nextDouble() - 1) * hue * 255);
    }

    private static void requireStrength(String name, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a finite number, at least 0");
        }
    }

    /** The 24 orders of four, made once: to shuffle an array for each image would make garbage. */
    private static int[][] orders() {
        int[][] orders = new int[24][];
        for (int number = 0; number < orders.length; number++) {
            var left = new ArrayList<>(List.of(0, 1, 2, 3));
            int digits = number;
            orders[number] = new int[CHANGES];
            for (int i = 0; i < CHANGES; i++) {
                orders[number][i] = left.remove(digits % left.size());
                digits /= CHANGES - i;
            }
        }
        return orders;
    }
}
