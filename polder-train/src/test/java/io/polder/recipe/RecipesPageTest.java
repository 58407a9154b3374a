package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polder.config.ConfigException;
import io.polder.config.FieldTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What {@code docs/recipes.md} shows is so. On a difference in the table of fields it prints the table as it should be. */
class RecipesPageTest {
    @Test
    void theDocumentationHasEveryFieldAsItIs() throws IOException {
        String table = FieldTable.of(Recipe.class);
        assertThat(page().contains(table))
                .as("docs/recipes.md must have\n" + table)
                .isTrue();
    }

    @Test
    void itsRecipesReadAsItSays() throws IOException {
        var yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(page());
        assertThat(yaml.find()).isTrue();
        assertThat(RecipeReader.read(yaml.group(1), "my.yaml", List.of()).epochs())
                .isEqualTo(50);
        assertThat(yaml.find()).isTrue();
        String mistaken = yaml.group(1);
        var told = catchThrowableOfType(
                ConfigException.class, () -> RecipeReader.read(mistaken, "my.yaml", List.of("replicas=3")));
        assertThat(page())
                .contains(told.mistakes().stream()
                        .map(mistake -> "polder: " + mistake + "\n")
                        .collect(Collectors.joining("", "```\n", "```\n")));
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/recipes.md"));
    }
}
