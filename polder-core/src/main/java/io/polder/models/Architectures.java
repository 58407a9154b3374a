package io.polder.models;

import io.polder.models.VisionTransformer.Settings;
import io.polder.models.VisionTransformer.Size;
import io.polder.text.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every architecture by its name. A test builds each of them: to be in this list is to be tested. */
public final class Architectures {
    private static final int CIFAR = 32;
    private static final int IMAGENET = 224;

    // These can be asked for in any size, not only in those that are listed.
    private static final Pattern WIDE = Pattern.compile("wrn-(\\d{1,4})-(\\d{1,3})");
    private static final Pattern SHAKE_SHAKE = Pattern.compile("wrn-ss-2x(\\d{1,4})");
    private static final Pattern PYRAMID = Pattern.compile("pyramidnet-(\\d{1,4})-(\\d{1,4})(-shakedrop)?");
    private static final Pattern TRANSFORMER = Pattern.compile("vit-(\\d{1,3})x(\\d{1,4})-(\\d{1,3})");

    /** What makes the settings of a transformer for images of a size and so many classes. */
    @FunctionalInterface
    private interface TransformerName {
        Settings settings(int image, int classes);
    }

    private static final Map<String, Architecture> BY_NAME = new LinkedHashMap<>();
    private static final Map<String, TransformerName> TRANSFORMERS = new LinkedHashMap<>();

    static {
        add(anyChannels(
                "resnet-small",
                (channels, image, classes, streams) ->
                        new ResidualNetwork(channels, List.of(16, 32, 64), 2, classes, streams)));
        add(anyChannels(
                "resnet-medium",
                (channels, image, classes, streams) ->
                        new ResidualNetwork(channels, List.of(32, 64, 128, 256), 2, classes, streams)));
        for (Vgg.Variant variant : Vgg.Variant.values()) {
            String name = lowerCase(variant);
            cifar(name, (channels, image, classes, streams) -> Vgg.cifar(variant, classes, streams));
            imageNet(
                    name + "-imagenet", (channels, image, classes, streams) -> Vgg.imageNet(variant, classes, streams));
        }
        for (ResNet.Variant variant : ResNet.Variant.values()) {
            String name = lowerCase(variant).replace("resnet", "resnet-");
            cifar(name, (channels, image, classes, streams) -> ResNet.cifar(variant, classes, streams));
            imageNet(
                    name + "-imagenet",
                    (channels, image, classes, streams) -> ResNet.imageNet(variant, classes, streams));
        }
        add(wide(16, 4));
        add(wide(28, 10));
        add(wide(40, 10));
        add(shakeShake(96));
        for (int[] size : new int[][] {{164, 48}, {164, 270}, {200, 240}, {272, 200}}) {
            add(pyramid(size[0], size[1], false));
            add(pyramid(size[0], size[1], true));
        }
        transformers("vit-ti", Size.TINY);
        transformers("vit-s", Size.SMALL);
        transformers("vit-b", Size.BASE);
    }

    private Architectures() {}

    /** In the order of the families. */
    public static List<Architecture> all() {
        return List.copyOf(BY_NAME.values());
    }

    /** @throws IllegalArgumentException if there is none of that name; the message offers the nearest ones */
    public static Architecture named(String name) {
        Architecture known = BY_NAME.get(name);
        if (known != null) {
            return known;
        }
        Matcher wide = WIDE.matcher(name);
        if (wide.matches()) {
            return wide(Integer.parseInt(wide.group(1)), Integer.parseInt(wide.group(2)));
        }
        Matcher shakeShake = SHAKE_SHAKE.matcher(name);
        if (shakeShake.matches()) {
            return shakeShake(Integer.parseInt(shakeShake.group(1)));
        }
        Matcher pyramid = PYRAMID.matcher(name);
        if (pyramid.matches()) {
            return pyramid(
                    Integer.parseInt(pyramid.group(1)), Integer.parseInt(pyramid.group(2)), pyramid.group(3) != null);
        }
        if (TRANSFORMER.matcher(name).matches()) {
            return new Architecture(name, CIFAR, 10, true, builder(transformerNamed(name)));
        }
        throw Nearest.unknown("model", name, BY_NAME.keySet());
    }

    /**
     * A vision transformer by its name, with its dropout and drop path still to be chosen.
     *
     * @throws IllegalArgumentException if the name is that of another architecture
     */
    public static Settings transformer(String name, int image, int classes) {
        TransformerName known = transformerNamed(name);
        if (known == null) {
            throw new IllegalArgumentException("model is \"" + name
                    + "\": only vision transformers have a dropout and a drop path to choose, "
                    + String.join(", ", TRANSFORMERS.keySet()));
        }
        return known.settings(image, classes);
    }

    /** @return null if the name is that of another architecture */
    private static TransformerName transformerNamed(String name) {
        Matcher any = TRANSFORMER.matcher(name);
        if (!any.matches()) {
            return TRANSFORMERS.get(name);
        }
        var size = new Size(Integer.parseInt(any.group(1)), Integer.parseInt(any.group(2)));
        return (image, classes) -> Settings.of(size, Integer.parseInt(any.group(3)), image, classes);
    }

    /** The method authors' for patches of 4 and 16, and torchvision's and timm's. */
    private static void transformers(String name, Size size) {
        for (int patch : new int[] {4, 16}) {
            TRANSFORMERS.put(name + "-" + patch, (image, classes) -> Settings.of(size, patch, image, classes));
        }
        TRANSFORMERS.put(name + "-16-imagenet", (image, classes) -> Settings.imageNet(size, 16, image, classes));
        cifar(name + "-4", builder(TRANSFORMERS.get(name + "-4")));
        for (String large : List.of(name + "-16", name + "-16-imagenet")) {
            imageNet(large, builder(TRANSFORMERS.get(large)));
        }
    }

    private static Architecture.Builder builder(TransformerName named) {
        return (channels, image, classes, streams) -> new VisionTransformer(named.settings(image, classes), streams);
    }

    private static Architecture wide(int depth, int width) {
        return anyChannels(
                "wrn-" + depth + "-" + width,
                (channels, image, classes, streams) -> new WideResNet(depth, width, channels, classes, streams));
    }

    private static Architecture shakeShake(int width) {
        return anyChannels(
                "wrn-ss-2x" + width,
                (channels, image, classes, streams) -> new WideResNetShakeShake(width, channels, classes, streams));
    }

    private static Architecture pyramid(int depth, int alpha, boolean shakeDrop) {
        return anyChannels(
                "pyramidnet-" + depth + "-" + alpha + (shakeDrop ? "-shakedrop" : ""),
                (channels, image, classes, streams) -> shakeDrop
                        ? PyramidNet.withShakeDrop(depth, alpha, channels, classes, streams)
                        : PyramidNet.plain(depth, alpha, channels, classes, streams));
    }

    private static void cifar(String name, Architecture.Builder builder) {
        BY_NAME.put(name, new Architecture(name, CIFAR, 10, true, builder));
    }

    private static Architecture anyChannels(String name, Architecture.Builder builder) {
        return new Architecture(name, CIFAR, 10, false, builder);
    }

    private static void add(Architecture architecture) {
        BY_NAME.put(architecture.name(), architecture);
    }

    private static void imageNet(String name, Architecture.Builder builder) {
        BY_NAME.put(name, new Architecture(name, IMAGENET, 1000, true, builder));
    }

    private static String lowerCase(Enum<?> variant) {
        return variant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
