package io.polder.recipe;

import io.polder.config.ConfigException;
import io.polder.text.Nearest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The recipes that come with Polder: each training run of the paper, and small ones that finish in minutes. */
public final class Recipes {
    /** The files, in the order of the list. */
    private static final List<String> TEMPLATES = List.of(
            "quick-fashion",
            "quick-cifar10",
            "my-photos",
            "vgg16-cifar",
            "wrn-28-10-cifar",
            "wrn-ss-2x96-cifar",
            "pyramidnet-272-cifar",
            "resnet-50-cifar",
            "vit-cifar",
            "vit-cifar-heavy",
            "vit-cifar-zero-warmup",
            "resnet-imagenet",
            "vgg16-bn-imagenet");

    /** Made when first asked for. */
    private static final class Texts {
        private static final Map<String, String> BY_NAME =
                Collections.unmodifiableMap(RecipeTemplate.expandAll(TEMPLATES));
    }

    private Recipes() {}

    /** The quick ones first, then in the order of the paper. */
    public static List<String> names() {
        return List.copyOf(Texts.BY_NAME.keySet());
    }

    public static boolean has(String name) {
        return Texts.BY_NAME.containsKey(name);
    }

    /**
     * The whole YAML, with comments that say where each number comes from.
     *
     * @throws IllegalArgumentException if there is none of that name; the message offers the nearest
     */
    public static String text(String name) {
        String text = Texts.BY_NAME.get(name);
        if (text == null) {
            throw new IllegalArgumentException("recipe is \"" + name + "\": there is no such recipe; "
                    + Nearest.to(name, names())
                            .map(near -> "did you mean " + near + "?")
                            .orElse("./polder recipes lists them"));
        }
        return text;
    }

    /** One sentence: the first line of the text. */
    public static String about(String name) {
        return text(name).lines().findFirst().orElseThrow().replaceFirst("^# ", "");
    }

    /**
     * @param overrides as for {@link RecipeReader#read(String, String, List, Consumer)}
     * @throws IllegalArgumentException if there is none of that name
     * @throws ConfigException if an override is a mistake
     */
    public static Recipe read(String name, List<String> overrides) {
        return RecipeReader.read(text(name), name, overrides);
    }
}
