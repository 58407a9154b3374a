package io.polder.mlflow;

import io.polder.recipe.Recipe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/** The fields of a recipe as MLflow has parameters: by their paths, such as {@code optimizer.momentum}, without those that are null. */
final class RecipeParameters {
    /** What every version of MLflow takes. */
    private static final int LONGEST = 250;

    private RecipeParameters() {}

    static Map<String, String> of(Recipe recipe) {
        Map<String, String> parameters = new LinkedHashMap<>();
        var asText = LoadSettings.builder().setSchema(new FailsafeSchema()).build();
        add("", new Load(asText).loadFromString(recipe.toYaml()), parameters);
        return parameters;
    }

    private static void add(String path, Object value, Map<String, String> parameters) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> add(path.isEmpty() ? key + "" : path + "." + key, each, parameters));
        } else if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
            for (int i = 0; i < list.size(); i++) {
                add(path + "." + i, list.get(i), parameters);
            }
        } else if (!"null".equals(value)) {
            parameters.put(cut(path.replaceAll("[^\\w. /-]", "_")), cut(value + ""));
        }
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }
}
