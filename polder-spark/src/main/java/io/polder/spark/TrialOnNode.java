package io.polder.spark;

import io.polder.files.Reason;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialProcess;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialTask;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.spark.SparkFiles;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/** What a Spark task does: runs one trial as a process on the node it is on, and stops it in good order when the task is killed. */
final class TrialOnNode implements Function<TrialTask, TrialEnd> {
    /** NFS clients may take as long to see a directory that another made. */
    private static final long SECONDS_UNTIL_VISIBLE = 60;

    private static final long MILLISECONDS_BETWEEN_LOOKS = 500;

    private static final long serialVersionUID = 1;

    /** How the process is started. */
    interface Command extends Supplier<TrialCommand>, Serializable {}

    private final Command command;
    private final RemotePlace place; // null: every node sees the task's store
    private final String data; // null: every node sees the task's data

    /**
     * @param place where trials are kept for all nodes; empty: in the task's store, which every node sees
     * @param data the name under which Spark hands the data out to nodes; empty: every node sees the task's
     */
    TrialOnNode(Command command, Optional<RemotePlace> place, Optional<String> data) {
        this.command = command;
        this.place = place.orElse(null);
        this.data = data.orElse(null);
    }

    @Override
    public TrialEnd call(TrialTask task) throws InterruptedException {
        if (place != null) {
            return callOnOwnDisk(task);
        }
        // The driver has made it: a node that does not see it would write its outcome where nobody looks.
        if (!sees(task.directory(), Path.of(task.store()))) {
            return refused(
                    "the store " + task.store() + " is not there: choose one that every node sees, with --store");
        }
        return run(here(task, task.store()));
    }

    /** The trial runs in a store of this node's, which is filled from that of all nodes before and copied to it meanwhile. */
    private TrialEnd callOnOwnDisk(TrialTask task) throws InterruptedException {
        var isOver = new CountDownLatch(1);
        Runnable hook = () -> awaitForAWhile(isOver);
        try (var scratch = Scratch.in(Path.of(SparkFiles.getRootDirectory()));
                RemoteTrials trials = place.open()) {
            BeforeSpark.onSignal(hook);
            TrialTask here = here(task, scratch.path().toAbsolutePath().toString());
            if (trials.fetchEnded(task.id(), new TrialStore(scratch.path()))) {
                return new TrialEnd(TrialEnd.Kind.FINISHED, "");
            }
            Optional<String> from = trials.fetchSave(task.id(), here.directory());
            var pusher = TrialPusher.start(trials, task.id(), here.directory(), from, place.millisecondsBetweenSaves());
            TrialEnd end;
            try (pusher) {
                end = run(here);
            }
            Path log = here.directory().resolve("log");
            boolean failed = end.kind() == TrialEnd.Kind.CRASHED || end.kind() == TrialEnd.Kind.REFUSED;
            if (failed && Files.exists(log)) {
                // Into what Spark keeps of its executor: the directory is about to be deleted.
                Files.copy(log, System.err);
            }
            return end.kind() == TrialEnd.Kind.FINISHED && pusher.failure().isPresent()
                    ? crashed("its outcome cannot be put into the store ("
                            + pusher.failure().get().getMessage() + ")")
                    : end;
        } catch (IOException e) {
            return crashed(e.getMessage());
        } catch (IllegalStateException e) {
            return new TrialEnd(TrialEnd.Kind.STOPPED, ""); // too late for a hook
        } finally {
            isOver.countDown();
            BeforeSpark.forget(hook);
        }
    }

    /** The node's process may be told to end before its trials' state is in the store. Spark deletes the node's files then, but not before this has ended. */
    static void awaitForAWhile(CountDownLatch isOver) {
        try {
            isOver.await(TrialsSeen.SECONDS_TO_WAIT, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private TrialEnd run(TrialTask here) throws InterruptedException {
        TrialProcess process;
        try {
            process = TrialProcess.start(here, command.get());
        } catch (IOException e) {
            return Reason.isNoRoom(e) ? unsaved(e.getMessage()) : refused(e.getMessage());
        }
        // A killed task interrupts this thread, and closing waits until the state is saved. The hook is for local
        // masters, where driver and node are one process: when that ends Spark leaves its tasks alone.
        var hook = new Thread(process::stop);
        try (process) {
            Runtime.getRuntime().addShutdownHook(hook);
            TrialEnd end = process.waitFor();
            return switch (end.kind()) {
                // How much memory a node gives to how many trials is the cluster's to say, not the study's.
                case CRASHED, OUT_OF_MEMORY -> crashed(end.detail());
                case UNSAVED -> unsaved(end.detail());
                case FINISHED, STOPPED, BUSY, REFUSED -> end;
            };
        } catch (IllegalStateException e) {
            return new TrialEnd(TrialEnd.Kind.STOPPED, ""); // too late for a hook
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // It is running.
            }
        }
    }

    /** With the threads that Spark gave the task. */
    private TrialTask here(TrialTask task, String store) {
        int threads = TaskContext.get().cpus();
        String images = data == null ? task.data() : SparkFiles.get(data);
        return new TrialTask(
                task.id(), task.recipe(), store, images, task.contents(), threads, task.device(), task.attempt());
    }

    /**
     * Whether this node sees a directory that the driver has made, perhaps just now.
     *
     * @param outer one around it, which has been there for longer
     */
    static boolean sees(Path directory, Path outer) throws InterruptedException {
        long looks = SECONDS_UNTIL_VISIBLE * 1000 / MILLISECONDS_BETWEEN_LOOKS;
        for (long i = 0; i < looks; i++) {
            if (Files.isDirectory(directory)) {
                return true;
            }
            if (!Files.isDirectory(outer)) {
                return false;
            }
            Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
        }
        return false;
    }

    private static TrialEnd refused(String reason) {
        return new TrialEnd(TrialEnd.Kind.REFUSED, onHost(reason));
    }

    /** A full disk of this node's own leaves the other nodes theirs; one that all share ends the study. */
    private TrialEnd unsaved(String reason) {
        return place == null ? new TrialEnd(TrialEnd.Kind.UNSAVED, onHost(reason)) : crashed(reason);
    }

    private static TrialEnd crashed(String reason) {
        return new TrialEnd(TrialEnd.Kind.CRASHED, onHost(reason));
    }

    static String onHost(String reason) {
        try {
            return "on " + InetAddress.getLocalHost().getHostName() + ": " + reason;
        } catch (UnknownHostException e) {
            return reason;
        }
    }
}
