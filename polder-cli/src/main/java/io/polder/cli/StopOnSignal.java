package io.polder.cli;

/**
 * Makes Ctrl-C (and SIGTERM) end the work in an orderly way: the working thread is interrupted and the process waits until it has
 * let go of the engine and removed what it had begun.
 */
final class StopOnSignal implements AutoCloseable {
    private final Thread hook;
    private boolean done;

    private StopOnSignal(Thread worker) {
        hook = new Thread(() -> {
            worker.interrupt();
            awaitDone();
            System.err.println("polder: stopped");
        });
    }

    /** Watches over the present thread until closed. */
    static StopOnSignal watch() {
        var stop = new StopOnSignal(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(stop.hook);
        return stop;
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
