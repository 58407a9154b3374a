package io.polder.spark;

import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialProcess;
import io.polder.study.trial.TrialTask;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
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

    TrialOnNode(Command command) {
        this.command = command;
    }

    @Override
    public TrialEnd call(TrialTask task) throws InterruptedException {
        if (!seesStore(task)) {
            return refused(
                    "the store " + task.store() + " is not there: choose one that every node sees, with --store");
        }
        TrialProcess process;
        try {
            process = TrialProcess.start(here(task), command.get());
        } catch (IOException e) {
            return refused(e.getMessage());
        }
        // A killed task interrupts this thread, and closing waits until the state is saved. The hook is for local
        // masters, where driver and node are one process: when that ends Spark leaves its tasks alone.
        var hook = new Thread(process::stop);
        try (process) {
            Runtime.getRuntime().addShutdownHook(hook);
            TrialEnd end = process.waitFor();
            return end.kind() == TrialEnd.Kind.CRASHED ? new TrialEnd(end.kind(), onHost(end.detail())) : end;
        } catch (IllegalStateException e) {
            return new TrialEnd(TrialEnd.Kind.STOPPED, ""); // too late for a hook
        } finally {
            remove(hook);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is running.
        }
    }

    /** With the threads that Spark gave the task. */
    private static TrialTask here(TrialTask task) {
        int threads = TaskContext.get().cpus();
        return new TrialTask(task.id(), task.recipe(), task.store(), task.data(), threads, task.attempt());
    }

    /** The driver has made the trial's directory: a node that does not see it would write its outcome where nobody looks. */
    private static boolean seesStore(TrialTask task) throws InterruptedException {
        Path directory = task.directory();
        long looks = SECONDS_UNTIL_VISIBLE * 1000 / MILLISECONDS_BETWEEN_LOOKS;
        for (long i = 0; i < looks; i++) {
            if (Files.isDirectory(directory)) {
                return true;
            }
            if (!Files.isDirectory(Path.of(task.store()))) {
                return false;
            }
            Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
        }
        return false;
    }

    private static TrialEnd refused(String reason) {
        return new TrialEnd(TrialEnd.Kind.REFUSED, onHost(reason));
    }

    private static String onHost(String reason) {
        try {
            return "on " + InetAddress.getLocalHost().getHostName() + ": " + reason;
        } catch (UnknownHostException e) {
            return reason;
        }
    }
}
