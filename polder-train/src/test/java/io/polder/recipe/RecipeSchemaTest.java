package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import io.polder.config.ConfigException;
import io.polder.config.RandomRecipes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** The schema as somebody else's validator reads it. */
class RecipeSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(RecipeReader.jsonSchema());

    @Test
    void itIsItselfValid() throws IOException {
        JsonSchema schemas = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        assertThat(schemas.validate(JSON.readTree(RecipeReader.jsonSchema()))).isEmpty();
    }

    @Test
    void everyBuiltInRecipeIsValid() {
        for (String name : Recipes.names()) {
            assertThat(SCHEMA.validate(json(Recipes.text(name)))).as(name).isEmpty();
        }
    }

    @Test
    void everyPrintedRecipeIsValid() {
        for (int seed = 0; seed < 60; seed++) {
            String text = new RandomRecipes(seed).next().toYaml();
            assertThat(SCHEMA.validate(json(text)))
                    .as("seed %d:\n%s", seed, text)
                    .isEmpty();
        }
    }

    @Test
    void shortFormsAreValid() {
        String text = Recipes.text("quick-fashion");
        assertThat(SCHEMA.validate(json(text + "onDivergence: restore\nmicroBatch: auto\n")))
                .isEmpty();
        assertThat(SCHEMA.validate(json("""
                {name: a, epochs: 1, model: wrn-16-1, data: {name: mnist, batch: 8, mix: cutmix}, scheme: standard,
                 optimizer: sgd, learningRate: {schedule: constant, base: 1}}"""))).isEmpty();
        for (String augment : List.of("colour-jitter", "{name: colour-jitter, after: imagenet, hue: 0.2}")) {
            assertThat(SCHEMA.validate(json("""
                    {name: a, epochs: 1, model: wrn-16-1, data: {name: cifar10, batch: 8, augment: %s}, scheme: standard,
                     optimizer: sgd, learningRate: {schedule: constant, base: 1}}""".formatted(augment)))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seed: 1.5",
                "epochs: 0",
                "epochs: many",
                "unknown: 1",
                "labelSmoothing: 1",
                "labelSmoothing: '0.1'",
                "precision: float23",
                "microBatch: atuo",
                "microBatch: 0",
                "average: 0.9",
                "average: {decay: 1}",
                "checkpoint: null",
                "checkpoint: {keep: 0}",
                "checkpoint: {kept: 3}",
                "onDivergence: explode",
                "name: a b",
                "model: {name: ''}",
                "model: {dropPath: 1}",
                "data: {name: cifar10}",
                "data: {name: cifar11, batch: 8}",
                "data: {name: cifar10, batch: 8, mix: cutmx}",
                "data: {name: cifar10, batch: 8, mix: {name: none, alpha: 1}}",
                "data: {name: cifar10, batch: 8, augment: {name: colour-jitter, hue: 0.6}}",
                "data: {name: cifar10, batch: 8, augment: {name: colour-jitter, after: colour-jitter}}",
                "data: {name: cifar10, batch: 8, augment: {name: cutout, hue: 0.1}}",
                "scheme: {name: sam}",
                "scheme: {name: sam, r: 0.1, alpha: 1}",
                "scheme: {name: sam, r: -1}",
                "scheme: {name: sam, r: {schedule: linear, from: 0}}",
                "scheme: {name: sam, r: 0.1, probability: 2}",
                "optimizer: {name: sgd, beta1: 0.9}",
                "optimizer: {name: adamw, beta1: 1}",
                "learningRate: {schedule: cosine}",
                "learningRate: {schedule: cosine, base: 0}"
            })
    void mistakesAreRefusedByTheSchemaAsByTheReader(String line) {
        String field = line.substring(0, line.indexOf(':'));
        JsonNode good = json(Recipes.text("quick-fashion"));
        JsonNode bad = good.deepCopy();
        ((ObjectNode) bad).set(field, json(line).get(field));
        assertThat(SCHEMA.validate(good)).isEmpty();
        assertThat(SCHEMA.validate(bad)).isNotEmpty();
        assertThat(catchThrowable(() ->
                        RecipeReader.read(Recipes.text("quick-fashion"), "x", List.of(line.replaceFirst(": ", "=")))))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void everyFieldIsDescribed() throws IOException {
        JsonNode schema = JSON.readTree(RecipeReader.jsonSchema());
        assertThat(schema.get("properties").get("epochs").get("description").asText())
                .isEqualTo("How long to train, in passes over the images. This or steps.");
        schema.findValues("properties")
                .forEach(group -> group.forEach(field -> assertThat(field.has("description") || field.has("const"))
                        .as(field.toString())
                        .isTrue()));
        assertThat(schema.get("properties").get("onDivergence").get("default").asText())
                .isEqualTo("stop");
        assertThat(schema.get("required").toString())
                .isEqualTo("[\"name\",\"model\",\"data\",\"scheme\",\"optimizer\",\"learningRate\"]");
    }

    private static JsonNode json(String yaml) {
        var settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
        return JSON.valueToTree(new Load(settings).loadFromString(yaml));
    }
}
