package io.polder.cli;

/**
 * Makes Ctrl-C (and SIGTERM) end the work in an orderly way: the work is told, and the process waits until it has let go of
 * the engine, saved what is to be saved and removed what it had begun. It then ends with the signal's exit code.
 */
final class StopOnSignal implements AutoCloseable {
    private final Thread hook;
    private volatile boolean requested;
    private boolean done;

    private StopOnSignal(Runnable tell, String lastWord) {
        hook = new Thread(() -> {
            requested = true;
            tell.run();
            awaitDone();
            System.err.print(lastWord);
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Interrupts the present thread on a signal. Until closed. */
    static StopOnSignal interrupting() {
        return new StopOnSignal(Thread.currentThread()::interrupt, "polder: stopped\n");
    }

    /** Leaves it to the work to look at {@link #isRequested()}, to end, and to say so. Until closed. */
    static StopOnSignal noticing() {
        return new StopOnSignal(() -> {}, "");
    }

    boolean isRequested() {
        return requested;
    }

    private synchronized void awaitDone() {
        try {
            while (!done) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        done = true;
        notifyAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is shutting down: the hook is running, and now ends.
        }
    }
}
