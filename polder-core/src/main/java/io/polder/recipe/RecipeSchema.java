package io.polder.recipe;

/** The JSON Schema of recipes (draft 2020-12), for editors that complete and check YAML by one. */
public final class RecipeSchema {
    private RecipeSchema() {}

    public static String json() {
        throw new UnsupportedOperationException("to come");
    }
}
