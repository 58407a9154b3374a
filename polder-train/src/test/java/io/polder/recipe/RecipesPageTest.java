package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What {@code docs/recipes.md} shows is so. On a difference in the table of fields it prints the table as it should be. */
class RecipesPageTest {
    private final StringBuilder table =
            new StringBuilder("| Field | Value | Default | What |\n| --- | --- | --- | --- |\n");

    @Test
    void theDocumentationHasEveryFieldAsItIs() throws IOException {
        group(Shape.recipe(), "", "");
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
                RecipeException.class, () -> RecipeReader.read(mistaken, "my.yaml", List.of("replicas=3")));
        assertThat(page())
                .contains(told.mistakes().stream()
                        .map(mistake -> "polder: " + mistake + "\n")
                        .collect(Collectors.joining("", "```\n", "```\n")));
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/recipes.md"));
    }

    private void group(Shape.Group group, String path, String of) {
        for (Part part : group.parts()) {
            row(path + part.name(), of, expected(part.shape()), part);
            if (part.shape() instanceof Shape.Group inner) {
                group(inner, path + part.name() + ".", of);
            } else if (part.shape() instanceof Shape.Choice choice) {
                choice(choice, path + part.name());
            }
        }
    }

    private void choice(Shape.Choice choice, String path) {
        for (Shape.Group group : choice.groups()) {
            table.append("| `%s.%s: %s` | | | %s |\n".formatted(path, choice.key(), group.tag(), group.about()));
            group(group, path + ".", " (" + group.tag() + ")");
        }
    }

    private void row(String path, String of, String expected, Part part) {
        String fallback = part.isRequired() ? "required" : "`" + part.field().fallback() + "`";
        String hashed = part.field().determinesResult() ? "" : " Not hashed.";
        table.append("| `%s`%s | %s | %s | %s%s |\n"
                .formatted(path, of, expected, fallback, part.field().about(), hashed));
    }

    private static String expected(Shape shape) {
        return shape instanceof Shape.Group ? "fields" : shape.expected();
    }
}
