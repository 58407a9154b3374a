package io.polder.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Puts what a trial on this node saves into the store of all nodes, while its process runs and once more when it has ended. A thread of
 * its own does so: that of a task that is killed is interrupted, and what the trial saved then is worth most.
 */
final class TrialPusher implements AutoCloseable {
    /** One to go on from, and the one before, should that turn out to be damaged. */
    private static final int KEPT = 2;

    private final RemoteTrials trials;
    private final String id;
    private final Path trial;
    private final long millisecondsBetweenSaves;
    private final CountDownLatch hasEnded = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "polder-pusher");

    private final Deque<String> kept = new ArrayDeque<>();
    private long lastSave = -1;
    private volatile Exception failure;

    private TrialPusher(RemoteTrials trials, String id, Path trial, long millisecondsBetweenSaves) {
        this.trials = trials;
        this.id = id;
        this.trial = trial;
        this.millisecondsBetweenSaves = millisecondsBetweenSaves;
    }

    /**
     * @param trial its directory
     * @param from what it goes on from
     */
    static TrialPusher start(
            RemoteTrials trials, String id, Path trial, Optional<String> from, long millisecondsBetweenSaves) {
        var pusher = new TrialPusher(trials, id, trial, millisecondsBetweenSaves);
        from.ifPresent(pusher.kept::add);
        pusher.thread.setDaemon(true);
        pusher.thread.start();
        return pusher;
    }

    private void run() {
        try {
            while (!hasEnded.await(millisecondsBetweenSaves, TimeUnit.MILLISECONDS)) {
                push();
            }
            push();
        } catch (InterruptedException e) {
            failure = new IOException("it was interrupted", e); // by nobody
        }
    }

    private void push() {
        try {
            if (TrialArchive.hasEnded(trial) && hasEnded.getCount() == 0) {
                trials.putEnded(id, TrialArchive.of(trial));
            } else if (TrialArchive.hasCheckpoints(trial)) {
                putSave(TrialArchive.of(trial));
            }
            failure = null;
        } catch (IOException | RuntimeException e) {
            // The next may succeed: the checkpoint that was being copied may have been deleted, or the network be down.
            failure = e;
        }
    }

    private void putSave(TrialArchive archive) throws IOException {
        if (archive.save() == lastSave && hasEnded.getCount() > 0) {
            return; // at the end its records may tell more
        }
        String name = trials.putSave(id, archive);
        kept.removeIf(earlier -> RemoteTrials.isOfSave(earlier, archive.save())); // which tells less
        kept.add(name);
        lastSave = archive.save();
        while (kept.size() > KEPT) {
            kept.remove();
        }
        trials.deleteSavesBut(kept, id);
    }

    /** Why the last that was to be put is not there; empty if it is. */
    Optional<Exception> failure() {
        return Optional.ofNullable(failure);
    }

    /** When the trial's process has ended. Returns when all it has left is in the store, or cannot be put there. */
    @Override
    public void close() {
        hasEnded.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
