package io.polder.spark;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * What is to be done when a process of Spark's, driver or node, is told to end, and before Spark stops itself and deletes its files: it does
 * so from a hook of Hadoop's, and Hadoop runs its hooks one after the other.
 */
final class BeforeSpark {
    /** Spark's own hooks have 40: those of a higher number come first. */
    private static final int PRIORITY = 100;

    private BeforeSpark() {}

    /** @throws IllegalStateException if the process is ending already */
    static void onSignal(Runnable hook) {
        ShutdownHookManager.get().addShutdownHook(hook, PRIORITY, TrialsSeen.SECONDS_TO_WAIT, TimeUnit.SECONDS);
    }

    static void forget(Runnable hook) {
        try {
            ShutdownHookManager.get().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is running.
        }
    }
}
