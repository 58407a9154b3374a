package io.polder.recipe;

import io.polder.config.ConfigException;
import io.polder.config.Format;
import io.polder.config.Format.Contradiction;
import io.polder.config.Values;
import io.polder.models.Architectures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Text and overrides to a {@link Recipe}, with every mistake told at once. */
public final class RecipeReader {
    /** A recipe is some two thousand characters. */
    private static final int LONGEST = 1 << 16;

    private RecipeReader() {}

    /**
     * Any name of a model will do.
     *
     * @throws ConfigException if there is any mistake
     * @see #read(String, String, List, Consumer)
     */
    public static Recipe read(String text, String fileName, List<String> overrides) {
        return read(text, fileName, overrides, name -> {});
    }

    /**
     * @param text YAML
     * @param fileName where it is from, for messages
     * @param overrides each as {@code path=value}, the value in YAML, such as {@code data.batch=128} or {@code scheme=standard}; later ones
     *     win. Of two fields that exclude each other, such as epochs and steps, an override of one takes the place of the other.
     * @param models throws an {@link IllegalArgumentException} if there is no model of a name; not asked for those of plug-ins
     * @throws ConfigException if there is any mistake
     */
    public static Recipe read(String text, String fileName, List<String> overrides, Consumer<String> models) {
        return format(models).read(text, fileName, overrides);
    }

    /**
     * A recipe in a file, in UTF-8.
     *
     * @throws IOException if it cannot be read at all
     * @throws ConfigException if there is any mistake
     * @see #read(String, String, List, Consumer)
     */
    public static Recipe read(Path file, List<String> overrides, Consumer<String> models) throws IOException {
        return format(models).read(file, overrides);
    }

    /** The JSON Schema of recipes, for editors. */
    public static String jsonSchema() {
        return format(name -> {}).jsonSchema("A recipe of Polder");
    }

    private static Format<Recipe> format(Consumer<String> models) {
        return new Format<>("recipe", Recipe.class, LONGEST, Rules.ONE_OF, recipe -> {
            List<Contradiction> broken = new ArrayList<>(Rules.broken(recipe));
            unknownModel(recipe, models, broken);
            return broken;
        });
    }

    private static void unknownModel(Values recipe, Consumer<String> models, List<Contradiction> broken) {
        if (recipe.at("model.plugged") != null) {
            String name = recipe.get("model.name", String.class);
            if (Architectures.all().stream().anyMatch(known -> known.name().equals(name))) {
                broken.add(new Contradiction(
                        "model.name", "is that of a plug-in and of a network of Polder; call the plug-in's otherwise"));
            }
        } else if (recipe.know("model.name") && recipe.get("model.name", String.class) != null) {
            try {
                models.accept(recipe.get("model.name", String.class));
            } catch (IllegalArgumentException e) {
                broken.add(new Contradiction("model.name", e.getMessage()));
            }
        }
    }
}
