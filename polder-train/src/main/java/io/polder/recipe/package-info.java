/**
 * Recipes: everything that determines a training run, as YAML and as immutable records.
 *
 * <p>Read {@link io.polder.recipe.Recipe} first: the records and the {@link io.polder.recipe.Field} of each of their components are
 * the one place that says which fields there are, what they may hold and what they are when left out. From it come the reader
 * ({@link io.polder.recipe.RecipeReader}), the canonical text and the hash, the JSON Schema ({@link io.polder.recipe.RecipeSchema})
 * and the table in {@code docs/recipes.md}. {@code Rules} has what no single field can say: which values contradict each other.
 *
 * <p>Nothing here knows a network, an image or the engine; recipes only name them. That keeps {@code ./polder recipes} instant, and
 * the meaning of a name with the package that implements it. {@code io.polder.run} puts the two together; a {@link
 * io.polder.recipe.TaskRecipe} alone makes what it names.
 */
package io.polder.recipe;
