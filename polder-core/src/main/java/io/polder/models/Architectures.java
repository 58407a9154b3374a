package io.polder.models;

import io.polder.models.VisionTransformer.Settings;
import java.util.ArrayList;
import java.util.Comparator;
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

    /** Wide residual networks of any depth and width can be asked for, not only those that are listed. */
    private static final Pattern WIDE = Pattern.compile("wrn-(\\d{1,4})-(\\d{1,3})");

    private static final Map<String, Architecture> BY_NAME = new LinkedHashMap<>();

    static {
        for (Vgg.Variant variant : Vgg.Variant.values()) {
            String name = lowerCase(variant);
            cifar(name, (image, classes, streams) -> Vgg.cifar(variant, classes, streams));
            imageNet(name + "-imagenet", (image, classes, streams) -> Vgg.imageNet(variant, classes, streams));
        }
        for (ResNet.Variant variant : ResNet.Variant.values()) {
            String name = lowerCase(variant).replace("resnet", "resnet-");
            cifar(name, (image, classes, streams) -> ResNet.cifar(variant, classes, streams));
            imageNet(name + "-imagenet", (image, classes, streams) -> ResNet.imageNet(variant, classes, streams));
        }
        wide(16, 4);
        wide(28, 10);
        wide(40, 10);
        cifar("wrn-ss-2x96", (image, classes, streams) -> new WideResNetShakeShake(96, 3, classes, streams));
        for (int[] size : new int[][] {{164, 48}, {164, 270}, {200, 240}, {272, 200}}) {
            String name = "pyramidnet-" + size[0] + "-" + size[1];
            cifar(name, (image, classes, streams) -> PyramidNet.plain(size[0], size[1], 3, classes, streams));
            cifar(
                    name + "-shakedrop",
                    (image, classes, streams) -> PyramidNet.withShakeDrop(size[0], size[1], 3, classes, streams));
        }
        for (VisionTransformer.Size size : VisionTransformer.Size.values()) {
            String name =
                    "vit-" + Map.of("TINY", "ti", "SMALL", "s", "BASE", "b").get(size.name());
            cifar(
                    name + "-4",
                    (image, classes, streams) -> new VisionTransformer(Settings.of(size, 4, image, classes), streams));
            imageNet(
                    name + "-16",
                    (image, classes, streams) -> new VisionTransformer(Settings.of(size, 16, image, classes), streams));
        }
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
            return wide(name, Integer.parseInt(wide.group(1)), Integer.parseInt(wide.group(2)));
        }
        List<String> nearest = new ArrayList<>(BY_NAME.keySet());
        nearest.sort(Comparator.comparingInt(other -> distance(name, other)));
        throw new IllegalArgumentException("model is \"" + name + "\": there is no such model; did you mean "
                + nearest.get(0) + ", " + nearest.get(1) + " or " + nearest.get(2) + "?");
    }

    private static void wide(int depth, int width) {
        String name = "wrn-" + depth + "-" + width;
        BY_NAME.put(name, wide(name, depth, width));
    }

    private static Architecture wide(String name, int depth, int width) {
        return new Architecture(
                name, CIFAR, 10, (image, classes, streams) -> new WideResNet(depth, width, 3, classes, streams));
    }

    private static void cifar(String name, Architecture.Builder builder) {
        BY_NAME.put(name, new Architecture(name, CIFAR, 10, builder));
    }

    private static void imageNet(String name, Architecture.Builder builder) {
        BY_NAME.put(name, new Architecture(name, IMAGENET, 1000, builder));
    }

    private static String lowerCase(Enum<?> variant) {
        return variant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Levenshtein's: how many letters must be added, removed or changed. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[b.length()];
    }
}
