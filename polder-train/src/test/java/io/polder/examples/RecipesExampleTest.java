package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.recipe.Recipe;
import io.polder.recipe.Recipes;
import io.polder.schedule.Schedule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of docs/recipes.md. */
class RecipesExampleTest {
    @Test
    void aRecipeIsReadChangedAndPrinted() {
        Recipe recipe = Recipes.read("wrn-28-10-cifar10", List.of("epochs=100", "scheme.alpha=0.7"));
        Schedule rate = recipe.learningRate().over(195, recipe.totalSteps(195)); // 195 batches of 256 in 50,000 images
        String text = recipe.toYaml(); // every field, defaults included; RecipeReader.read gives the same recipe back
        String hash = recipe.hash(); // the same for whatever gives the same result on the same data

        assertThat(rate.at(0)).isEqualTo(0.1);
        assertThat(text).contains("epochs: 100", "alpha: 0.7");
        assertThat(hash).hasSize(64);
    }
}
