package io.polder.study.trial;

import io.polder.files.Machine;
import io.polder.files.Reason;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Runs trials side by side on this machine, each as a process of its own with the same number of threads.
 *
 * <p>By default as many as there are cores, with one thread each: small networks gain little from a second thread, and trials beside
 * each other gain all of it. Another trial is only started if the memory that is left, on the machine or in the container, holds it
 * beside those that run, by the most that any trial of this executor has taken so far, and until one has ended by an estimate of at
 * least 2 GiB. One trial always runs.
 */
public final class LocalExecutor implements TrialExecutor {
    /** Before the first trial has shown what it takes. WRN-28-10 with a batch of 256 takes about three times that. */
    private static final long FIRST_ESTIMATE = 2L << 30;

    /** For the rest of the machine, and because the peak of the next trial is not known. */
    private static final double RESERVE = 1.1;

    private static final long MILLISECONDS_BETWEEN_LOOKS = 500;
    private static final Machine MACHINE = new Machine();

    private final Supplier<OptionalLong> memory;
    private final TrialCommand command;
    private final int sideBySide;
    private final int threads;

    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Set<TrialProcess> running = new LinkedHashSet<>();
    private final Thread starter;
    private long largestPeak;
    private boolean oneHasEnded;
    private int active;
    private boolean closed;

    private record Waiting(TrialTask task, Runnable onStart, CompletableFuture<TrialEnd> end) {}

    /** @param command how processes are started */
    public LocalExecutor(TrialCommand command, int sideBySide, int threads) {
        this(command, sideBySide, threads, MACHINE::available);
    }

    /** @param memory how many bytes of it are left; empty if that is not known */
    LocalExecutor(TrialCommand command, int sideBySide, int threads, Supplier<OptionalLong> memory) {
        if (sideBySide < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    "sideBySide is " + sideBySide + " and threads " + threads + ": both must be at least 1");
        }
        this.memory = memory;
        this.command = command;
        this.sideBySide = sideBySide;
        this.threads = threads;
        starter = new Thread(this::startInTurn, "polder-trials");
        starter.setDaemon(true);
        starter.start();
    }

    @Override
    public String describe() {
        return sideBySide
                + (sideBySide == 1 ? " trial at a time, " : " trials side by side, ")
                + threads
                + (threads == 1 ? " thread" : " threads")
                + (sideBySide == 1 ? "" : " each");
    }

    @Override
    public int sideBySide() {
        return sideBySide;
    }

    @Override
    public int threads() {
        return threads;
    }

    @Override
    public synchronized CompletableFuture<TrialEnd> submit(TrialTask task, Runnable onStart) {
        var end = new CompletableFuture<TrialEnd>();
        if (closed) {
            end.complete(new TrialEnd(TrialEnd.Kind.STOPPED, ""));
        } else {
            waiting.add(new Waiting(task, onStart, end));
            notifyAll();
        }
        return end;
    }

    private void startInTurn() {
        try {
            while (true) {
                Waiting next = awaitTurn();
                if (next == null) {
                    return;
                }
                start(next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            broken(e);
        }
    }

    /** Nobody shall wait for a trial that will never start. */
    private synchronized void broken(Throwable cause) {
        closed = true;
        waiting.forEach(trial -> trial.end().completeExceptionally(cause));
        waiting.clear();
    }

    /** The next trial that may start now; null when closed. */
    private synchronized Waiting awaitTurn() throws InterruptedException {
        while (!closed) {
            measure();
            if (!waiting.isEmpty() && active < sideBySide && (active == 0 || memoryHoldsAnother())) {
                active++;
                return waiting.remove();
            }
            if (running.isEmpty()) {
                wait();
            } else {
                wait(MILLISECONDS_BETWEEN_LOOKS); // memory is looked at now and then
            }
        }
        return null;
    }

    private void measure() {
        running.forEach(process -> largestPeak =
                Math.max(largestPeak, MACHINE.peakOf(process.pid()).orElse(0)));
    }

    private boolean memoryHoldsAnother() {
        OptionalLong available = memory.get();
        if (available.isEmpty()) {
            return true;
        }
        long estimate = oneHasEnded ? largestPeak : Math.max(largestPeak, FIRST_ESTIMATE);
        long toGrow = 0;
        for (TrialProcess process : running) {
            toGrow += Math.max(0, estimate - MACHINE.memoryOf(process.pid()).orElse(0));
        }
        return available.getAsLong() - toGrow >= RESERVE * estimate;
    }

    private void start(Waiting next) {
        TrialProcess process = null;
        try {
            process = TrialProcess.start(next.task(), command);
            if (!joins(process)) {
                process.stop();
            }
            next.onStart().run();
            waiter(next, process).start();
        } catch (IOException e) {
            TrialEnd.Kind kind = Reason.isNoRoom(e) ? TrialEnd.Kind.UNSAVED : TrialEnd.Kind.REFUSED;
            leave(process);
            next.end().complete(new TrialEnd(kind, e.getMessage()));
        } catch (RuntimeException | Error e) {
            if (process != null) {
                process.close();
            }
            leave(process);
            next.end().completeExceptionally(e);
        }
    }

    private Thread waiter(Waiting trial, TrialProcess process) {
        var waiter = new Thread(
                () -> {
                    try {
                        TrialEnd end = process.waitFor();
                        leave(process);
                        trial.end().complete(end);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "polder-trial-" + process.pid());
        waiter.setDaemon(true);
        return waiter;
    }

    /** @return false if it comes too late */
    private synchronized boolean joins(TrialProcess process) {
        running.add(process);
        notifyAll();
        return !closed;
    }

    /** @param process null if it was never started */
    private synchronized void leave(TrialProcess process) {
        oneHasEnded |= running.remove(process);
        active--;
        notifyAll();
    }

    @Override
    public void close() {
        Set<TrialProcess> toStop;
        synchronized (this) {
            closed = true;
            waiting.forEach(trial -> trial.end().complete(new TrialEnd(TrialEnd.Kind.STOPPED, "")));
            waiting.clear();
            toStop = new LinkedHashSet<>(running);
            notifyAll();
        }
        toStop.forEach(TrialProcess::stop); // all at once, then one after another
        toStop.forEach(TrialProcess::close);
        boolean interrupted = false;
        synchronized (this) {
            while (active > 0) {
                try {
                    wait(MILLISECONDS_BETWEEN_LOOKS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
