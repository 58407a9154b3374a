package io.polder.cli;

import java.io.IOException;

/**
 * Trains by workers on a cluster of a kind that another module knows. Such a module is found as a service
 * ({@link java.util.ServiceLoader}), so that this one does not need what it needs.
 */
public interface ClusterWorkers {
    /** As in {@code --executor NAME}. */
    String name();

    /**
     * Trains to an end, or until this process is told to stop. What the run has come to is in its directory then.
     *
     * @return the exit code: 0 if all workers came to a good end
     * @throws IOException a sentence, if the cluster or a place of the run cannot be reached, or has no room for the workers
     */
    int train(ClusterRun run) throws IOException;
}
