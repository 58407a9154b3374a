package io.polder.study.trial;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Makes executors of a kind that another module has. Such a module is found as a service ({@link java.util.ServiceLoader}), so that this
 * one does not need what it needs.
 */
public interface TrialExecutorProvider {
    /** As in {@code --executor NAME}. */
    String name();

    /**
     * @param master where the cluster is; empty: as its own configuration says
     * @param threads of a trial; empty: as the cluster's own configuration says
     * @throws IOException a sentence, if the cluster cannot be reached
     */
    TrialExecutor open(Optional<String> master, OptionalInt threads) throws IOException;
}
