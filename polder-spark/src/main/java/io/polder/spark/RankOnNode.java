package io.polder.spark;

import io.polder.checkpoint.RunLock;
import io.polder.run.RunDirectory;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkFiles;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * What a task of the stage does: it is one rank of the training, as a process on its node. The ranks meet at a port of rank 0's node, which
 * that tells the others through Spark; from there on they are workers as any others are. A task that is killed has its process save the run and
 * end. Rank 0 keeps the run in its directory, or, where nodes do not see that, on its own disk and in the store.
 */
final class RankOnNode extends AbstractFunction1<Iterator<Integer>, Iterator<Integer>> implements Serializable {
    private static final long serialVersionUID = 1;

    private static final long MILLISECONDS_BETWEEN_LOOKS = 100;
    private static final int WRONG_USE = 2;
    private static final int SIGNALS = 128;

    private final NodeCommand command;
    private final String recipe; // null: the run goes on
    private final String directory;
    private final RemotePlace place; // null: every node sees the directory
    private final String path; // of the data; null: none is given
    private final String data; // the name under which Spark hands it out; null: it does not
    private final ArrayList<String> options;

    /**
     * @param recipe of a run that begins, as YAML
     * @param place where the run is kept; empty: in the directory
     * @param path of the data on every node
     * @param data the name under which Spark hands the data out to nodes; empty: every node sees it
     * @param options of each worker's command
     */
    RankOnNode(
            NodeCommand command,
            Optional<String> recipe,
            Path directory,
            Optional<RemotePlace> place,
            Optional<Path> path,
            Optional<String> data,
            List<String> options) {
        this.command = command;
        this.recipe = recipe.orElse(null);
        this.directory = directory.toString();
        this.place = place.orElse(null);
        this.path = path.map(Path::toString).orElse(null);
        this.data = data.orElse(null);
        this.options = new ArrayList<>(options);
    }

    /** Of a rank; Spark then ends the others. */
    private static final class FailedRankException extends RuntimeException {
        private static final long serialVersionUID = 1;

        FailedRankException(String sentence) {
            super(sentence);
        }
    }

    @Override
    public Iterator<Integer> apply(Iterator<Integer> nothing) {
        BarrierTaskContext context = BarrierTaskContext.get();
        int rank = context.partitionId();
        try {
            if (rank > 0) {
                // Which hears from rank 0 what is trained, and from where.
                train(context, List.of("resume", directory), new Stopping());
            } else if (place == null) {
                leadInDirectory(context);
            } else {
                leadOnOwnDisk(context);
            }
            return Iterator.empty();
        } catch (IOException e) {
            throw failed(rank, RankVoice.Kind.ERRORS, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailedRankException("rank " + rank + " was told to stop");
        }
    }

    private static FailedRankException failed(int rank, RankVoice.Kind kind, String how) {
        String sentence = "rank " + rank + " " + TrialOnNode.onHost(how);
        RankVoice.say(0, kind, "polder: " + sentence);
        return new FailedRankException(sentence);
    }

    private void leadInDirectory(BarrierTaskContext context) throws IOException, InterruptedException {
        Path run = Path.of(directory);
        if (!TrialOnNode.sees(run, run.getParent())) {
            throw new IOException(
                    "the directory " + run
                            + " is not there: choose one that every node sees with --out, or a place that Hadoop knows with --store");
        }
        awaitFree(run);
        try (var scratch = Scratch.in(Path.of(SparkFiles.getRootDirectory()))) {
            train(context, leading(run, scratch.path()), new Stopping());
        }
    }

    /** A worker of an attempt before may be about to end: it has lost its Spark executor, and saves the run. */
    private static void awaitFree(Path run) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TrialsSeen.SECONDS_TO_WAIT);
        while (System.nanoTime() < end) {
            try {
                RunLock.take(run).close();
                return;
            } catch (IOException e) {
                Thread.sleep(MILLISECONDS_BETWEEN_LOOKS); // what it is about, the worker says if it stays so
            }
        }
    }

    /** The run is filled from the store before, and copied to it meanwhile. */
    private void leadOnOwnDisk(BarrierTaskContext context) throws IOException, InterruptedException {
        var isOver = new CountDownLatch(1);
        var stopping = new Stopping();
        Runnable hook = () -> {
            stopping.stop();
            TrialOnNode.awaitForAWhile(isOver);
        };
        // Of a local master the driver is this process, and ends its tasks itself.
        boolean hooked = !SparkEnv.get().executorId().equals(SparkContext$.MODULE$.DRIVER_IDENTIFIER());
        try (var scratch = Scratch.in(Path.of(SparkFiles.getRootDirectory()));
                RemoteTrials store = place.openAbove()) {
            if (hooked) {
                BeforeSpark.onSignal(hook);
            }
            Path run = scratch.path().resolve("run");
            Optional<String> from = store.fetchSave(place.name(), run);
            var pusher = TrialPusher.start(store, place.name(), run, from, place.millisecondsBetweenSaves());
            try (pusher) {
                train(context, leading(run, scratch.path()), stopping);
            }
            if (pusher.failure().isPresent()) {
                throw new IOException("what it came to cannot be put into " + place.uri() + " ("
                        + pusher.failure().get().getMessage() + ")");
            }
        } catch (IllegalStateException e) {
            throw new InterruptedException("too late for a hook");
        } finally {
            isOver.countDown();
            if (hooked) {
                BeforeSpark.forget(hook);
            }
        }
    }

    /** Begins the run, or goes on with it: also one that an attempt before has begun. */
    private List<String> leading(Path run, Path scratch) throws IOException {
        if (recipe == null || new RunDirectory(run).holdsARun()) {
            return List.of("resume", run.toString());
        }
        Path file = Files.writeString(scratch.resolve("recipe.yaml"), recipe);
        return List.of("train", file.toString(), "--out", run.toString());
    }

    private void train(BarrierTaskContext context, List<String> words, Stopping stopping)
            throws IOException, InterruptedException {
        int rank = context.partitionId();
        List<String> arguments = new ArrayList<>(words);
        arguments.addAll(List.of("--threads", Integer.toString(context.cpus())));
        if (data != null || path != null) {
            arguments.addAll(List.of("--data", data == null ? path : SparkFiles.get(data)));
        }
        arguments.addAll(options);
        try (var process = RankProcess.start(rank, command.of(RankMain.class), arguments, environment(context))) {
            stopping.of(process);
            int code = process.waitFor();
            if (code != 0) {
                throw failed(
                        rank,
                        code == WRONG_USE ? RankVoice.Kind.REFUSED : RankVoice.Kind.ERRORS,
                        code > SIGNALS ? "ended by signal " + (code - SIGNALS) : "failed with exit code " + code);
            }
        }
    }

    /** Returns when all ranks are as far. */
    private static Map<String, String> environment(BarrierTaskContext context) throws IOException {
        int rank = context.partitionId();
        String port = context.allGather(rank == 0 ? freePort() : "")[0];
        var addresses = context.getTaskInfos();
        Map<String, String> environment = new TreeMap<>();
        environment.put("RANK", Integer.toString(rank));
        environment.put("WORLD_SIZE", Integer.toString(addresses.length));
        // Each has the threads that Spark gave its task, whoever else is on the node.
        environment.put("LOCAL_RANK", "0");
        environment.put("LOCAL_WORLD_SIZE", "1");
        environment.put("MASTER_ADDR", host(addresses[0].address()));
        environment.put("MASTER_PORT", port);
        environment.put("OMP_NUM_THREADS", Integer.toString(context.cpus()));
        // The network by which Spark's nodes reach this one, unless the node itself says which.
        var network = NetworkInterface.getByInetAddress(InetAddress.getByName(host(addresses[rank].address())));
        if (network != null && System.getenv("GLOO_SOCKET_IFNAME") == null) {
            environment.put("GLOO_SOCKET_IFNAME", network.getName());
        }
        return environment;
    }

    private static String host(String address) {
        return address.replaceFirst(":\\d+$", "").replaceFirst("^\\[(.*)]$", "$1");
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        }
    }

    /** Stops a process that may not have been started yet. */
    private static final class Stopping {
        private RankProcess process;
        private boolean stopped;

        synchronized void of(RankProcess one) {
            process = one;
            if (stopped) {
                one.stop();
            }
        }

        synchronized void stop() {
            stopped = true;
            if (process != null) {
                process.stop();
            }
        }
    }
}
