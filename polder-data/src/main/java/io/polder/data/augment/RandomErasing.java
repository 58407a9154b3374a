package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.SplittableRandom;

/**
 * Fills a rectangle of some images with noise: "Random Erasing Data Augmentation" (Zhong, Zheng, Kang, Li and Yang, 2020).
 *
 * <p>The rectangle's area is uniform in its range; the logarithm of its height over its width is uniform in its own, as in
 * torchvision (the paper draws the ratio itself, which favours upright rectangles). It lies wholly inside the image:
 * where it does not fit, it is drawn again, and after ten times the image stays as it is. Each byte of it is uniform in
 * 0 to 255, before normalisation; torchvision's default is zeros after it.
 *
 * @param probability with which an image has a rectangle erased
 * @param leastArea of the rectangle, as a share of the image
 * @param leastAspect of the rectangle: height over width
 */
public record RandomErasing(
        double probability, double leastArea, double mostArea, double leastAspect, double mostAspect)
        implements Augmentation {
    private static final int ATTEMPTS = 10;

    public RandomErasing {
        EitherOf.requireProbability("probability", probability);
        if (!(leastArea >= 0 && leastArea <= mostArea && mostArea <= 1)) {
            throw new IllegalArgumentException(
                    "the area is %s to %s: it must be a range within 0 to 1".formatted(leastArea, mostArea));
        }
        if (!(leastAspect > 0 && leastAspect <= mostAspect && Double.isFinite(mostAspect))) {
            throw new IllegalArgumentException("the aspect is %s to %s: it must be a range of finite numbers above 0"
                    .formatted(leastAspect, mostAspect));
        }
    }

    /** The defaults of torchvision; the paper has areas up to 0.4. */
    public RandomErasing() {
        this(0.5, 0.02, 0.33, 0.3, 3.3);
    }

    @Override
    public void apply(byte[] image, ImageShape shape, SplittableRandom random) {
        if (random.nextDouble() >= probability) {
            return;
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            double area = between(leastArea, mostArea, random) * shape.height() * shape.width();
            // StrictMath, so that a seed means the same rectangles on every machine.
            double aspect = StrictMath.exp(between(StrictMath.log(leastAspect), StrictMath.log(mostAspect), random));
            long height = Math.round(Math.sqrt(area * aspect));
            long width = Math.round(Math.sqrt(area / aspect));
            if (height < shape.height() && width < shape.width()) {
                int top = random.nextInt(shape.height() - (int) height + 1);
                int left = random.nextInt(shape.width() - (int) width + 1);
                erase(new Box(top, left, top + (int) height, left + (int) width), image, shape, random);
                return;
            }
        }
    }

    private static double between(double least, double most, SplittableRandom random) {
        return least + (most - least) * random.nextDouble();
    }

    private static void erase(Box box, byte[] image, ImageShape shape, SplittableRandom random) {
        for (int row = box.top(); row < box.bottom(); row++) {
            int start = box.start(row, shape);
            for (int i = start; i < start + box.rowBytes(shape); i++) {
                image[i] = (byte) random.nextInt();
            }
        }
    }
}
