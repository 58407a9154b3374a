/**
 * Recipes: everything that determines a training run, as YAML and as immutable records.
 *
 * <p>Read {@link io.polder.recipe.Recipe} first: the records and the {@link io.polder.config.Field} of each of their components are
 * the one place that says which fields there are, what they may hold and what they are when left out; {@code io.polder.config} makes
 * the rest of it. {@code Rules} has what no single field can say: which values contradict each other. A record makes what it names: a
 * scheme, an optimizer, a network, a data set.
 *
 * <p>Schemes, optimizers, tasks, networks, data sets and augmentations are open to a {@link io.polder.config.Plugin}: see {@code
 * docs/plugins.md}.
 *
 * <p>To read, print or hash a recipe loads nothing of the engine and opens no file but its own, which keeps {@code ./polder recipes}
 * instant.
 */
package io.polder.recipe;
