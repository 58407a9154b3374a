package io.polder.data.load;

import io.polder.data.Framing;
import io.polder.data.ImageShape;
import io.polder.data.augment.Augmentation;
import io.polder.data.augment.AutoAugment;
import io.polder.data.augment.ColourJitter;
import io.polder.data.augment.Cutout;
import io.polder.data.augment.Heavy;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.augment.PadCropFlip.Padding;
import io.polder.data.augment.RandAugment;
import io.polder.data.augment.RandomErasing;
import io.polder.text.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * All that is done to images between the file and the batch, by name: the {@code augment} of a recipe.
 *
 * @param training how training images get their size
 * @param augmentation what is then done to them
 * @param evaluation how test and validation images get their size
 * @param shape of what the network sees, the same for both
 */
public record Pipeline(String name, Framing training, Augmentation augmentation, Framing evaluation, ImageShape shape) {
    private static final int CUTOUT = 16;
    private static final int IMAGENET = 224;

    /** Enough to tell things apart by, and a twelfth of the work of 224. */
    private static final int PHOTO = 64;

    /** Hundreds of pictures are learnt by heart soon; but a crop of ImageNet's least, a twelfth, often misses what they are of. */
    private static final double PHOTO_LEAST_AREA = 0.35;

    /** What a name stands for, given the images it is for. */
    private interface Maker {
        Pipeline make(String name, ImageShape natural, OptionalInt side);
    }

    private record Entry(String description, Maker maker) {}

    private static final Map<String, Entry> BY_NAME = new LinkedHashMap<>();

    static {
        Augmentation basic = new PadCropFlip(4, Padding.ZERO, true);
        add("none", "images as they are", small(Augmentation.NONE));
        add("basic", "pad 4 with zeros, random crop to the old size, flip", small(basic));
        add("basic-reflect", "basic, padded by reflection", small(new PadCropFlip(4, Padding.REFLECT, true)));
        add("pad-crop", "basic without the flip, for digits", small(new PadCropFlip(4, Padding.ZERO, false)));
        add("cutout", "basic, then a black square of 16", small(basic.then(new Cutout(CUTOUT))));
        add(
                "autoaugment-cifar",
                "basic, then AutoAugment's 95 policies for CIFAR",
                small(basic.then(AutoAugment.CIFAR10)));
        add("randaugment", "basic, then two operations of RandAugment", small(basic.then(new RandAugment())));
        add(
                "random-erasing",
                "basic, then every other time a rectangle erased",
                small(basic.then(new RandomErasing())));
        add(
                "colour-jitter",
                "basic, then brightness, contrast, saturation and hue by random amounts",
                small(basic.then(new ColourJitter())));
        add("heavy", "the paper's for ViT: resize 72, flip, rotate, zoom, crop, resize 48", Pipeline::heavy);
        add(
                "imagenet",
                "random resized crop 224 and flip; evaluation: resize 256, centre crop 224",
                photographs(Augmentation.NONE));
        add(
                "autoaugment-imagenet",
                "imagenet, then AutoAugment's 25 policies for ImageNet",
                photographs(AutoAugment.IMAGENET));
        add(
                "photos",
                "random resized crop of a third or more, and flip; evaluation: resize 8/7, centre crop",
                Pipeline::photos);
    }

    public Pipeline {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(training, "training");
        Objects.requireNonNull(augmentation, "augmentation");
        Objects.requireNonNull(evaluation, "evaluation");
        ImageShape made = augmentation.output(new ImageShape(shape.channels(), training.height(), training.width()));
        if (!made.equals(shape) || evaluation.height() != shape.height() || evaluation.width() != shape.width()) {
            throw new IllegalArgumentException(
                    "shape is %s: it must be what training makes, %s, and evaluation, %d x %d"
                            .formatted(shape, made, evaluation.height(), evaluation.width()));
        }
    }

    /** In the order of the documentation. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /** What one of {@link #names()} does, in a line. */
    public static String description(String name) {
        return entry(name).description;
    }

    /** With the side that the name stands for, or for pipelines of no fixed size that of the images. */
    public static Pipeline named(String name, ImageShape natural) {
        return named(name, natural, OptionalInt.empty());
    }

    /**
     * @param natural the shape the images have; where they differ, only its channels count
     * @param side of the square images the network sees. For pipelines that leave the size alone it means: resize the
     *     shorter side to this and keep the middle, in training and evaluation, before anything else
     * @throws IllegalArgumentException if there is none of that name; the message offers the nearest ones
     */
    public static Pipeline named(String name, ImageShape natural, OptionalInt side) {
        Entry entry = entry(name);
        if (side.isPresent() && side.getAsInt() < 1) {
            throw new IllegalArgumentException("side is " + side.getAsInt() + ": it must be at least 1");
        }
        return entry.maker.make(name, natural, side);
    }

    /**
     * Of an augmentation that keeps the size of images.
     *
     * @param side as for {@link #named(String, ImageShape, OptionalInt)}
     */
    public static Pipeline of(String name, Augmentation augmentation, ImageShape natural, OptionalInt side) {
        return small(augmentation).make(name, natural, side);
    }

    /** This one, and after it {@code next} on the training images. */
    public Pipeline then(String name, Augmentation next) {
        return new Pipeline(name, training, augmentation.then(next), evaluation, next.output(shape));
    }

    private static Entry entry(String name) {
        Entry entry = BY_NAME.get(name);
        if (entry == null) {
            throw Nearest.unknown("augment", name, BY_NAME.keySet());
        }
        return entry;
    }

    private static void add(String name, String description, Maker maker) {
        BY_NAME.put(name, new Entry(description, maker));
    }

    /** The size stays, unless a side is given. */
    private static Maker small(Augmentation augmentation) {
        return (name, natural, side) -> {
            Framing framing = side.isPresent()
                    ? Framing.centred(side.getAsInt(), side.getAsInt())
                    : Framing.asIs(natural.height(), natural.width());
            return new Pipeline(name, framing, augmentation, framing, shape(natural, framing));
        };
    }

    /** Its sizes are the paper's, whatever the images. */
    private static Pipeline heavy(String name, ImageShape natural, OptionalInt side) {
        if (side.isPresent() && side.getAsInt() != Heavy.SIDE) {
            throw new IllegalArgumentException(
                    "side is " + side.getAsInt() + ": it must be " + Heavy.SIDE + " for heavy");
        }
        Framing training = Framing.stretched(Heavy.RESIZED, Heavy.RESIZED);
        Framing evaluation = Framing.stretched(Heavy.SIDE, Heavy.SIDE);
        return new Pipeline(name, training, new Heavy(), evaluation, shape(natural, evaluation));
    }

    private static Pipeline photos(String name, ImageShape natural, OptionalInt given) {
        int side = given.orElse(PHOTO);
        Framing training = Framing.randomResizedCrop(side, PHOTO_LEAST_AREA, true);
        Framing evaluation = middle(side);
        return new Pipeline(name, training, Augmentation.NONE, evaluation, shape(natural, evaluation));
    }

    /** ImageNet's, in proportion for other sides: 256 is 8/7 of 224. */
    private static Framing middle(int side) {
        return Framing.centred(Math.round(side * 8 / 7f), side);
    }

    private static Maker photographs(Augmentation augmentation) {
        return (name, natural, given) -> {
            int side = given.orElse(IMAGENET);
            Framing evaluation = middle(side);
            return new Pipeline(
                    name, Framing.randomResizedCrop(side, true), augmentation, evaluation, shape(natural, evaluation));
        };
    }

    private static ImageShape shape(ImageShape natural, Framing framing) {
        return new ImageShape(natural.channels(), framing.height(), framing.width());
    }
}
