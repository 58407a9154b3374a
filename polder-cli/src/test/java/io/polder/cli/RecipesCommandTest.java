package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.study.search.Planner;
import io.polder.study.search.Studies;
import io.polder.study.search.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipesCommandTest {
    @TempDir
    private Path directory;

    @Test
    void theListHasALineForEachRecipe() {
        var outcome = run("recipes");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output().lines()).hasSize(1 + Recipes.names().size());
        assertThat(outcome.output())
                .containsPattern("\nwrn-28-10-cifar10 +200  penalty, r 0.1, α 0.8\n")
                .containsPattern("\nwrn-28-10-cifar10-sam +200  SAM, r 0.1\n")
                .containsPattern("\nresnet-50-imagenet-standard +100  standard\n");
    }

    @Test
    void aRecipeIsPrintedWholeAndReadsBack() throws IOException {
        var outcome = run("recipes", "wrn-28-10-cifar10");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).isEqualTo(Recipes.text("wrn-28-10-cifar10"));

        Path mine = directory.resolve("mine.yaml");
        Files.writeString(mine, outcome.output());
        String resolved = run("recipes", mine.toString()).output();
        assertThat(resolved)
                .isEqualTo(run("recipes", "wrn-28-10-cifar10", "--resolved").output())
                .startsWith("# hash "
                        + Recipes.read("wrn-28-10-cifar10", List.of()).hash() + "\nname: wrn-28-10-cifar10\n");
        assertThat(RecipeReader.read(resolved, "resolved", List.of()))
                .isEqualTo(Recipes.read("wrn-28-10-cifar10", List.of()));
    }

    @Test
    void overridesShowInWhatIsPrinted() {
        var outcome = run("recipes", "wrn-28-10-cifar10", "-s", "data.batch=128", "-s", "scheme=standard");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output()).contains("\n  batch: 128\n", "\nscheme:\n  name: standard\noptimizer:\n");
    }

    @Test
    void everyMistakeIsALineOfItsOwnAndWrongUse() throws IOException {
        Path mine = directory.resolve("mine.yaml");
        Files.writeString(
                mine,
                Recipes.text("quick-fashion")
                        .replace("resnet-small", "resnet-smal")
                        .replace("64", "many"));
        var outcome = run("recipes", mine.toString(), "-s", "sede=3");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("polder: "))
                .anyMatch(line -> line.contains("mine.yaml:9: model.name: model is \"resnet-smal\""))
                .anyMatch(line -> line.contains("mine.yaml:15: data.batch: is \"many\"; it must be a whole number"))
                .anyMatch(line -> line.equals("polder: -s: sede: there is no such field; did you mean seed?"));
    }

    @Test
    void anUnknownNameIsWrongUseAndOffersTheNearest() {
        var outcome = run("recipes", "wrn-28-10-cifar1");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors())
                .startsWith(
                        "polder: recipe is \"wrn-28-10-cifar1\": there is no such recipe; did you mean wrn-28-10-cifar10?")
                .hasLineCount(1);
        assertThat(run("recipes", "--resolved").exitCode()).isEqualTo(2);
        assertThat(run("recipes", "\0").exitCode()).as("no name of a file").isEqualTo(2);
    }

    @Test
    void theSchemaIsPrinted() {
        assertThat(run("recipes", "--schema").output()).isEqualTo(RecipeReader.jsonSchema());
    }

    @Test
    void quickFashionIsWhatCompareDoesButForTheNormalisation() {
        List<Recipe> quick = Stream.of("quick-fashion-standard", "quick-fashion-sam", "quick-fashion")
                .map(name -> Recipes.read(name, List.of("name=quick-fashion", "data.name=fashion-mnist-2000-measured")))
                .toList();
        assertThat(new Planner(Studies.read("compare"))
                        .plan(id -> Optional.empty()).trials().stream()
                                .map(Trial::recipe)
                                .filter(recipe -> recipe.seed() == 1))
                .containsExactlyElementsOf(quick);
    }

    private static PolderProcess.Outcome run(String... arguments) {
        return PolderProcess.here(arguments);
    }
}
