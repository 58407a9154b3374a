package io.polder.study.search;

import io.polder.text.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The studies that come with Polder: each table and figure of the paper, and small ones that finish on two cores. */
public final class Studies {
    private static final List<String> NAMES = List.of(
            "smoke",
            "compare",
            "quick-cifar10",
            "quick-parameters",
            "quick-set-b",
            "quick-transformer",
            "quick-shake",
            "searched-shake",
            "three-methods",
            "frontier",
            "frontier-more",
            "quarter-more",
            "half-more",
            "combined",
            "growing-share",
            "over-time",
            "by-layer",
            "cifar10-tenth",
            "cifar10-fitted",
            "vgg16-cifar10",
            "vgg16-cifar100",
            "cifar10",
            "cifar100",
            "wrn-ss-cifar10",
            "wrn-ss-cifar100",
            "pyramidnet-cifar10",
            "pyramidnet-cifar100",
            "vit-cifar10",
            "vit-cifar100",
            "parameters-cifar10",
            "parameters-cifar100",
            "set-b-cifar10",
            "imagenet");

    private Studies() {}

    /** The quick ones first, then in the order of the paper. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The whole YAML, with comments.
     *
     * @throws IllegalArgumentException if there is none of that name; the message offers the nearest
     */
    public static String text(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("study is \"" + name + "\": there is no such study and no such file; "
                    + Nearest.to(name, NAMES)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("./polder study lists them"));
        }
        try (InputStream file = Studies.class.getResourceAsStream(name + ".yaml")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the study " + name + " cannot be read", e);
        }
    }

    /** One sentence: the first line of the text. */
    public static String about(String name) {
        return text(name).lines().findFirst().orElseThrow().replaceFirst("^# ", "");
    }

    public static Study read(String name) {
        return StudyFile.read(text(name), name + ".yaml", Path.of("."));
    }
}
