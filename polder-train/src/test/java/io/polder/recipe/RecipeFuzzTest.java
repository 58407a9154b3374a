package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.polder.config.ConfigException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hostile text: whatever is done to a recipe, it is read, or refused with a {@link ConfigException} and nothing else. */
class RecipeFuzzTest {
    private static final int CASES = 3_000;
    private static final List<String> PIECES = List.of(
            "\n",
            " ",
            "\t",
            ":",
            ": ",
            "- ",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ",",
            "#",
            "&a",
            "*a",
            "!",
            "!!str ",
            "|",
            ">",
            "%",
            "%YAML 1.1\n---\n",
            "@",
            "`",
            "\"",
            "'",
            "\\",
            "\\x",
            "~",
            "null",
            "---\n",
            "...\n",
            "<<: ",
            "\u0000",
            "\u0085",
            "\u2028",
            "\ufeff",
            "\ud800",
            "😀",
            "1e999",
            "-0",
            ".inf",
            "0x",
            "999999999999999999999",
            "name",
            "schedule: ",
            "{schedule: linear, from: 0}");

    @Test
    void mutatedTextIsReadOrRefusedAndNothingElse() {
        List<String> names = Recipes.names();
        int[] read = {0};
        // Against an endless loop, not a measurement: it takes seconds.
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            for (int seed = 0; seed < CASES; seed++) {
                Random random = new Random(seed);
                StringBuilder text = new StringBuilder(Recipes.text(names.get(random.nextInt(names.size()))));
                for (int i = random.nextInt(6); i >= 0; i--) {
                    mutate(text, random);
                }
                String override =
                        PIECES.get(random.nextInt(PIECES.size())) + "=" + PIECES.get(random.nextInt(PIECES.size()));
                try {
                    Recipe recipe = RecipeReader.read(
                            text.toString(), "fuzz", random.nextInt(4) == 0 ? List.of(override) : List.of());
                    assertThat(RecipeReader.read(recipe.toYaml(), "again", List.of()))
                            .isEqualTo(recipe);
                    read[0]++;
                } catch (ConfigException e) {
                    assertThat(e.mistakes()).isNotEmpty().allMatch(mistake -> !mistake.contains("\n"));
                } catch (RuntimeException | Error e) {
                    fail("seed " + seed + " of " + text, e);
                }
            }
        });
        assertThat(read[0]).as("some mutations are harmless, most are not").isBetween(CASES / 50, CASES * 3 / 4);
    }

    private static void mutate(StringBuilder text, Random random) {
        int at = random.nextInt(text.length());
        int end = Math.min(text.length(), at + 1 + random.nextInt(20));
        switch (random.nextInt(4)) {
            case 0 -> text.delete(at, end);
            case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
            case 2 -> text.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
            default -> text.insert(random.nextInt(text.length()), text.substring(at, end));
        }
        if (text.length() == 0) {
            text.append('a');
        }
    }
}
