package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.config.ConfigException;
import io.polder.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged recipes, as files of whatever bytes: one that reads back as itself, or its mistakes, each in a sentence. */
@Tag("slow")
class RecipeFileFuzzTest {
    @TempDir
    private Path directory;

    @Test
    void files() throws Exception {
        Path file = directory.resolve("recipe.yaml");
        byte[][] seeds = Recipes.names().stream()
                .map(name -> Recipes.text(name).getBytes(StandardCharsets.UTF_8))
                .limit(40)
                .toArray(byte[][]::new);
        Fuzz.of("recipe.yaml", seeds)
                .refusedBy(ConfigException.class)
                .listing()
                .naming(file)
                .run(bytes -> {
                    Recipe recipe = RecipeReader.read(Files.write(file, bytes), List.of(), name -> {});
                    assertThat(RecipeReader.read(recipe.toYaml(), "again", List.of()))
                            .isEqualTo(recipe);
                    return recipe;
                });
    }

    @Test
    void overrides() throws Exception {
        String recipe = Recipes.text(Recipes.names().get(0));
        byte[][] seeds =
                List.of("data.batch=128", "scheme={name: sam, r: 0.1}", "learningRate.base=1e-3", "epochs=3").stream()
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
        Fuzz.of("override", seeds)
                .refusedBy(ConfigException.class)
                .listing()
                .run(bytes ->
                        RecipeReader.read(recipe, "recipe.yaml", List.of(new String(bytes, StandardCharsets.UTF_8))));
    }
}
