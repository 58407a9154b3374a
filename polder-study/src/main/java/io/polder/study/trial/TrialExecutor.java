package io.polder.study.trial;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Runs trials somewhere, several at the same time. It knows nothing of searches or tables, does not try again and reads no outcomes:
 * results come through the store.
 *
 * <p>{@link TrialProcess} is how an implementation runs one trial on the machine it is on.
 */
public interface TrialExecutor extends AutoCloseable {
    /** How many trials it runs at the same time, in words and numbers: "2 side by side, 1 thread each". */
    String describe();

    /** How many it runs at the same time. */
    int sideBySide();

    /** Where this process sees the data that it hands to trials; empty: where the study says. */
    default Optional<Path> data() {
        return Optional.empty();
    }

    /** How many threads of the engine a trial gets. */
    int threads();

    /**
     * Runs a trial when its turn comes, in the order of calls. Returns at once.
     *
     * @param onStart called when it starts, on any thread
     * @return how it ended; completed exceptionally only if the executor itself is broken
     */
    CompletableFuture<TrialEnd> submit(TrialTask task, Runnable onStart);

    /** Tells running trials to stop and waits until they have saved their state; those that wait for their turn end at once. */
    @Override
    void close();
}
