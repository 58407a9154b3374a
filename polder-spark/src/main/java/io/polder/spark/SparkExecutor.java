package io.polder.spark;

import io.polder.files.Reason;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialTask;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkFiles;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Runs trials on a Spark cluster: each is a job of one task, which runs the trial as a process on the node it came to.
 *
 * <p>A trial gets {@code spark.task.cpus} threads. The store, and the data where it does not come with Polder, are at the same path on the
 * driver and on every node; of what several trials on a node read, the system's cache keeps one copy. Or they are on a file system that
 * Hadoop knows: then trials run on their nodes' own disks, and what they save and come to goes through {@link RemoteTrials}; Spark
 * hands the data to each node once. When a machine is lost Spark gives its trials to others, where they go on from their checkpoints;
 * only after {@code spark.task.maxFailures} such losses is a trial reported as crashed. All other decisions are the coordinator's: how often a crashed trial is tried again is the study's
 * {@code retries}.
 */
final class SparkExecutor implements TrialExecutor {
    private static final long MILLISECONDS_BETWEEN_LOOKS = 100;

    private final JavaSparkContext spark;
    private final Optional<RemoteTrials> remote;
    private final Optional<String> data;
    private final TrialOnNode trialOnNode;
    private final TrialsSeen seen = new TrialsSeen();
    private final ExecutorService waiters;
    private final Map<String, TrialTask> trials = new ConcurrentHashMap<>();
    private final AtomicInteger submitted = new AtomicInteger();
    private final Runnable closeOnSignal = this::close;
    private volatile boolean closed;

    /**
     * @param configuration of the application: at least its master
     * @param store where trials are kept for all nodes, on any file system that Hadoop knows; empty: in each task's store
     * @param data where nodes get the data from; empty: where each task says
     */
    static SparkExecutor open(SparkConf configuration, Optional<URI> store, Optional<URI> data) throws IOException {
        return open(configuration, store, data, new NodeCommand());
    }

    static SparkExecutor open(
            SparkConf configuration, Optional<URI> store, Optional<URI> data, TrialOnNode.Command command)
            throws IOException {
        JavaSparkContext spark = Application.open(configuration, "polder study");
        boolean opened = false;
        try {
            var executor = new SparkExecutor(spark, store, data, command);
            opened = true;
            return executor;
        } finally {
            if (!opened) {
                spark.stop();
            }
        }
    }

    private SparkExecutor(JavaSparkContext spark, Optional<URI> store, Optional<URI> data, TrialOnNode.Command command)
            throws IOException {
        this.spark = spark;
        Optional<RemotePlace> place = store.map(uri -> Application.place(spark, uri));
        remote = place.isPresent() ? Optional.of(place.get().open()) : Optional.empty();
        this.data = data.isPresent() ? Optional.of(Application.handOut(spark, data.get())) : Optional.empty();
        this.trialOnNode = new TrialOnNode(command, place, this.data);
        spark.sc().addSparkListener(seen);
        BeforeSpark.onSignal(closeOnSignal);
        AtomicInteger number = new AtomicInteger();
        waiters = Executors.newCachedThreadPool(job -> {
            var thread = new Thread(job, "polder-spark-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public String describe() {
        int trials = sideBySide();
        return "Spark at " + spark.master() + ", " + trials + (trials == 1 ? " trial" : " trials") + " side by side, "
                + threads() + (threads() == 1 ? " thread" : " threads") + " each";
    }

    /**
     * As the cluster is at this moment: it changes when machines come or go. Never less than one; where the estimate is too high, by the
     * cores that do not divide by the threads of a trial, a trial waits in Spark for its turn.
     */
    @Override
    public int sideBySide() {
        try {
            return Math.max(1, spark.defaultParallelism() / threads());
        } catch (IllegalStateException e) {
            return 1; // stopped, from here or from outside: the next trial finds out
        }
    }

    /** Spark gives the driver a copy of what it hands out. */
    @Override
    public Optional<Path> data() {
        return data.map(name -> Path.of(SparkFiles.get(name)));
    }

    @Override
    public int threads() {
        return spark.getConf().getInt(Application.TASK_CPUS, 1);
    }

    @Override
    public CompletableFuture<TrialEnd> submit(TrialTask task, Runnable onStart) {
        if (closed) {
            return CompletableFuture.completedFuture(stopped());
        }
        try {
            if (remote.isEmpty()) {
                Files.createDirectories(task.directory());
            }
        } catch (IOException e) {
            return CompletableFuture.completedFuture(new TrialEnd(
                    Reason.isNoRoom(e) ? TrialEnd.Kind.UNSAVED : TrialEnd.Kind.REFUSED,
                    "cannot make " + task.directory() + " (" + Reason.of(e) + "): choose another store with --store"));
        }
        String group = "polder-" + submitted.incrementAndGet() + "-" + task.id();
        trials.put(group, task);
        seen.expect(group, onStart);
        var end = new CompletableFuture<TrialEnd>();
        waiters.execute(() -> {
            try {
                end.complete(run(task, group));
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    private TrialEnd run(TrialTask task, String group) {
        try {
            // Interrupting is how the task learns that it is to stop.
            spark.setJobGroup(group, "trial " + task.id(), true);
            if (closed) {
                return stopped();
            }
            if (fetchEnded(task)) {
                return new TrialEnd(TrialEnd.Kind.FINISHED, "");
            }
            TrialEnd end = spark.parallelize(List.of(task), 1)
                    .map(trialOnNode)
                    .collect()
                    .get(0);
            if (end.kind() == TrialEnd.Kind.FINISHED) {
                fetchEnded(task);
            }
            return end;
        } catch (StoreException e) {
            return closed ? stopped() : new TrialEnd(TrialEnd.Kind.CRASHED, e.getMessage());
        } catch (Exception e) { // Scala throws checked ones undeclared
            if (closed) {
                return stopped();
            }
            if (spark.sc().isStopped()) {
                throw new IllegalStateException(
                        "the application was ended by Spark, or " + spark.master()
                                + " did not answer: start the study again when it does",
                        e);
            }
            return new TrialEnd(TrialEnd.Kind.CRASHED, "Spark gave it up: " + Application.sentence(e));
        } finally {
            trials.remove(group);
            seen.forget(group);
        }
    }

    /** From a store that is elsewhere into the task's own. */
    private boolean fetchEnded(TrialTask task) throws StoreException {
        try {
            return remote.isPresent() && remote.get().fetchEnded(task.id(), new TrialStore(Path.of(task.store())));
        } catch (IOException e) {
            throw new StoreException("the driver cannot read the store: " + Application.sentence(e), e);
        }
    }

    /** Told from what Spark throws, which may be anything. */
    private static final class StoreException extends Exception {
        private static final long serialVersionUID = 1;

        StoreException(String message, IOException cause) {
            super(message, cause);
        }
    }

    private static TrialEnd stopped() {
        return new TrialEnd(TrialEnd.Kind.STOPPED, "");
    }

    /** On a signal two threads come here: the second waits until all is saved, and Spark, which then ends by itself, waits for it. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<TrialTask> running = List.copyOf(trials.values());
        if (!running.isEmpty()) {
            spark.setLogLevel("OFF"); // it complains of every task that is cut short, with a stack trace
        }
        try {
            trials.keySet().forEach(spark::cancelJobGroup);
            seen.awaitNoneRunning(() -> spark.sc().isStopped());
        } catch (IllegalStateException e) {
            // Spark was stopped from outside. The trials' processes notice, and save their state.
        }
        running.forEach(SparkExecutor::awaitFree);
        waiters.shutdown();
        spark.stop();
        try {
            if (remote.isPresent()) {
                remote.get().close();
            }
        } catch (IOException e) {
            // Nothing is written from here.
        }
        BeforeSpark.forget(closeOnSignal);
    }

    private static void awaitFree(TrialTask task) {
        var store = new TrialStore(Path.of(task.store()));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TrialsSeen.SECONDS_TO_WAIT);
        try {
            while (!store.isFree(task.id()) && System.nanoTime() < end) {
                Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
