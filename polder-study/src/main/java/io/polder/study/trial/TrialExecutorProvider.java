package io.polder.study.trial;

import java.io.IOException;

/**
 * Makes executors of a kind that another module has. Such a module is found as a service ({@link java.util.ServiceLoader}), so that this
 * one does not need what it needs.
 */
public interface TrialExecutorProvider {
    /** As in {@code --executor NAME}. */
    String name();

    /** @throws IOException a sentence, if the cluster or a place of the options cannot be reached */
    TrialExecutor open(ClusterOptions options) throws IOException;
}
