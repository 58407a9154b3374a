package io.polder.cli;

import io.polder.recipe.Recipe;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * One training, as a cluster is asked for it.
 *
 * @param master where the cluster is; empty: as its own configuration says
 * @param threads of a worker; empty: as the cluster's own configuration says
 * @param restarts how often at most all workers are started again after one is lost
 * @param patience how long to wait until there is room for all workers
 * @param recipe of a run that begins; empty: the run in the directory, or in the store, goes on
 * @param directory of the run, absolute; without a store every node sees it
 * @param store where the run is kept for nodes that do not see its directory, which then gets what it came to; empty: they do
 * @param data where the images are, at the same path on every node; empty: where the recipe or {@code remoteData} says
 * @param remoteData where nodes fetch the images from; empty: they see them
 * @param options of each worker's command, besides those above
 * @param output hears what rank 0 prints
 * @param errors hears what rank 0 says of its course, and what went wrong with any
 */
public record ClusterRun(
        Optional<String> master,
        int workers,
        OptionalInt threads,
        int restarts,
        Duration patience,
        Optional<Recipe> recipe,
        Path directory,
        Optional<URI> store,
        Optional<Path> data,
        Optional<URI> remoteData,
        List<String> options,
        Consumer<String> output,
        Consumer<String> errors) {}
