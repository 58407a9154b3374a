/**
 * YAML files as immutable records: the schema engine behind recipes, which knows nothing of them.
 *
 * <p>A file is a record, and a {@link io.polder.config.Field} on each of its components says what it is for, what it may hold and what it
 * is when left out: in one place, from which come the reader ({@link io.polder.config.Format}), the checks of records made in Java
 * ({@link io.polder.config.Values#checked}), the canonical text, what is hashed, the JSON Schema and the tables of the documentation.
 * Components are texts, numbers, truth values, enums, other records, one of several records
 * ({@link io.polder.config.ByName}), lists, maps from texts, and YAML of any shape ({@link io.polder.config.Yaml}). Every mistake of a
 * file is told at once, with its line.
 *
 * <p>Which records a name may stand for is open: a {@link io.polder.config.Plugin} adds its own, which are read, checked, written and
 * hashed like the others.
 *
 * <p>Why not a library: those that bind YAML stop at the first mistake, and know neither lines nor a range, a sentence or what is
 * hashed of a field.
 */
package io.polder.config;
