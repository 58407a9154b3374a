package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.models.Architectures;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.study.search.Studies;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What lists print for programs: one document and nothing else, with the names that people get. */
class JsonOutputTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @Test
    void modelsAreThoseOfTheTable() throws IOException {
        JsonNode models = print("models", "--json").get("models");
        assertThat(models).hasSize(Architectures.all().size());
        JsonNode resnet = named(models, "resnet-50-imagenet");
        // He et al. and torchvision.
        assertThat(resnet.get("parameters").asLong()).isEqualTo(25_557_032);
        assertThat(resnet.get("image").asInt()).isEqualTo(224);
        assertThat(resnet.get("classes").asInt()).isEqualTo(1000);
    }

    @Test
    void aModelsShapesHoldItsParameters() throws IOException {
        JsonNode model = print("models", "wrn-10-1", "--classes", "7", "--image", "16", "--json");
        assertThat(model.get("parameters").asLong()).isEqualTo(75_095);
        assertThat(model.at("/shapes/head.weight")).hasToString("[7,64]");
        long sum = 0;
        for (JsonNode shape : model.get("shapes")) {
            long product = 1;
            for (JsonNode side : shape) {
                product *= side.asLong();
            }
            sum += product;
        }
        assertThat(sum).isEqualTo(75_095);
    }

    @Test
    void recipesAreThoseOfTheTable() throws IOException {
        JsonNode recipes = print("recipes", "--json").get("recipes");
        assertThat(recipes).hasSize(Recipes.names().size());
        JsonNode sam = named(recipes, "wrn-28-10-cifar10-sam");
        assertThat(sam.get("scheme").textValue()).isEqualTo("sam");
        assertThat(sam.get("epochs").asInt()).isEqualTo(200);
        assertThat(sam.get("hash").textValue())
                .isEqualTo(Recipes.read("wrn-28-10-cifar10-sam", List.of()).hash());
    }

    /** JSON is YAML: what is printed is a recipe as it is. */
    @Test
    void everyRecipeReadsBackFromItsFields() {
        for (String name : Recipes.names()) {
            Recipe recipe = Recipes.read(name, List.of());
            assertThat(RecipeReader.read(Json.document(recipe.fields()), name, List.of()))
                    .isEqualTo(recipe);
        }
    }

    @Test
    void aRecipeIsPrintedWithWhatOverridesIt() throws IOException {
        JsonNode printed = print("recipes", "quick-fashion", "-s", "data.batch=32", "--json");
        assertThat(printed.at("/recipe/data/batch").asInt()).isEqualTo(32);
        assertThat(printed.get("hash").textValue())
                .isEqualTo(
                        Recipes.read("quick-fashion", List.of("data.batch=32")).hash());
    }

    @Test
    void datasetsHaveWhatEachExpects() throws IOException {
        JsonNode printed = print("datasets", "--json");
        assertThat(printed.get("datasets")).hasSize(Datasets.all().size());
        JsonNode cifar = named(printed.get("datasets"), "cifar10");
        assertThat(cifar.at("/md5/cifar-10-binary.tar.gz").textValue()).isEqualTo("c32a1d4ab5d03f1284b67883e8d87530");
        assertThat(cifar.get("training").asInt()).isEqualTo(50_000);
        assertThat(named(printed.get("datasets"), "fashion-mnist-2000")
                        .get("bundled")
                        .booleanValue())
                .isTrue();
        assertThat(printed.get("augmentations")).hasSize(Pipeline.names().size());
    }

    @Test
    void studiesAreThoseOfTheList() throws IOException {
        JsonNode studies = print("study", "--json").get("studies");
        assertThat(studies).hasSize(Studies.names().size());
        assertThat(named(studies, "smoke").get("about").textValue()).isEqualTo(Studies.about("smoke"));
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode each : list) {
            if (each.get("name").textValue().equals(name)) {
                return each;
            }
        }
        throw new AssertionError("there is no " + name + " in " + list);
    }

    private static JsonNode print(String... arguments) throws IOException {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.errors()).isEmpty();
        return JSON.readTree(outcome.output());
    }
}
