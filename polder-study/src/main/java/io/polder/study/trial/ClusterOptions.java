package io.polder.study.trial;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a cluster is asked for.
 *
 * @param master where the cluster is; empty: as its own configuration says
 * @param threads of a trial; empty: as the cluster's own configuration says
 * @param store where trials are kept for all nodes; empty: in the trial store, which every node sees at the same path
 * @param data where nodes get the data set from; empty: each trial says, and every node sees it at the same path
 */
public record ClusterOptions(Optional<String> master, OptionalInt threads, Optional<URI> store, Optional<URI> data) {}
