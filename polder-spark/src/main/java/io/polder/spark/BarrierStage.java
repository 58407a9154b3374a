package io.polder.spark;

import io.polder.checkpoint.RunLock;
import io.polder.cli.ClusterRun;
import io.polder.files.OutputDirectory;
import io.polder.files.Reason;
import io.polder.recipe.Recipe;
import io.polder.run.RunDirectory;
import io.polder.text.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import scala.reflect.ClassTag$;

/**
 * The workers of one training as a barrier stage of Spark's: as many tasks as ranks, started together or not at all. When one is lost Spark
 * fails the stage and ends the others; it is started again from the last checkpoint, as often as the run says. Spark's own attempts at a stage
 * are switched off: they could wait for room without end, and know nothing of what was saved.
 */
final class BarrierStage implements AutoCloseable {
    private static final String GROUP = "polder-workers";
    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final long MILLISECONDS_BETWEEN_LOOKS = 200;

    /** Executors take some seconds to come: nobody needs to be told of those. */
    private static final Duration WAIT_UNTOLD = Duration.ofSeconds(10);

    private final JavaSparkContext spark;
    private final ClusterRun run;
    private final Optional<RemotePlace> place;
    private final RankOnNode rankOnNode;
    private final TrialsSeen seen = new TrialsSeen();
    private final CountDownLatch isOver = new CountDownLatch(1);
    private final Runnable stopOnSignal = this::stop;
    private volatile boolean stopped;
    private volatile boolean refused;

    static BarrierStage open(SparkConf configuration, ClusterRun run) throws IOException {
        SparkConf ours = configuration.clone();
        ours.set("spark.stage.maxConsecutiveAttempts", "1");
        ours.set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "1");
        String others = ours.get("spark.plugins", "");
        ours.set("spark.plugins", others + (others.isEmpty() ? "" : ",") + RankVoice.class.getName());
        JavaSparkContext spark = Application.open(ours, "polder train");
        boolean opened = false;
        try {
            var stage = new BarrierStage(spark, run);
            opened = true;
            return stage;
        } finally {
            if (!opened) {
                spark.stop();
            }
        }
    }

    private BarrierStage(JavaSparkContext spark, ClusterRun run) throws IOException {
        this.spark = spark;
        this.run = run;
        place = run.store().map(uri -> Application.place(spark, uri));
        Optional<String> data = run.remoteData().isPresent()
                ? Optional.of(Application.handOut(spark, run.remoteData().get()))
                : Optional.empty();
        rankOnNode = new RankOnNode(
                new NodeCommand(),
                run.recipe().map(Recipe::toYaml),
                run.directory(),
                place,
                run.data(),
                data,
                run.options());
        spark.sc().addSparkListener(seen);
        RankVoice.listen(this::hear);
        BeforeSpark.onSignal(stopOnSignal);
    }

    private void hear(int rank, RankVoice.Kind kind, String line) {
        refused |= kind == RankVoice.Kind.REFUSED;
        if (kind == RankVoice.Kind.OUTPUT) {
            run.output().accept(line);
        } else {
            run.errors().accept(rank == 0 ? line : "rank " + rank + ": " + line);
        }
    }

    private void say(String sentence) {
        run.errors().accept("polder: " + sentence);
    }

    /** @return the exit code */
    int train() throws IOException {
        // Nodes look whether they see it; removed again if nothing comes to be in it.
        try (var made = OutputDirectory.prepare(run.directory())) {
            if (place.isEmpty()) {
                return attempts();
            }
            try (RemoteTrials store = place.get().openAbove()) {
                prepare(store, place.get().name());
                boolean fetched;
                int code;
                try {
                    code = attempts();
                } finally {
                    fetched = fetch(store, place.get().name());
                }
                return fetched ? code : Math.max(code, FAILED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    /** A run that goes on may have been trained elsewhere meanwhile, and be further in its directory. */
    private void prepare(RemoteTrials store, String name) throws IOException {
        long newest = store.newestSave(name);
        if (run.recipe().isPresent()) {
            if (newest >= 0) {
                throw new IOException(place.get().uri() + " holds a run already: go on with it by ./polder resume "
                        + ShellWords.quoted(run.directory()) + " with the same --store, or choose another");
            }
            return;
        }
        boolean isHere = new RunDirectory(run.directory()).holdsARun() && TrialArchive.hasCheckpoints(run.directory());
        if (!isHere && newest < 0) {
            throw new IOException("there is no run to go on with, neither in " + run.directory() + " nor in "
                    + place.get().uri() + ": train it first");
        }
        if (isHere) {
            TrialArchive archive = TrialArchive.of(run.directory());
            if (archive.save() > newest) {
                store.putSave(name, archive);
            }
        }
    }

    private int attempts() throws IOException, InterruptedException {
        for (int left = run.restarts(); ; left--) {
            awaitRoom();
            if (!stopped && attempt()) {
                return 0;
            }
            // What remains of it has the run's directory, and the room.
            seen.awaitNoneRunning(() -> spark.sc().isStopped());
            if (!stopped) {
                requireSpark();
            }
            if (stopped || left == 0 || refused) {
                return refused ? WRONG_USE : FAILED;
            }
            say("starting the workers again, " + left + (left == 1 ? " time" : " times") + " at most");
        }
    }

    /** @return whether all ranks came to a good end */
    private boolean attempt() throws IOException, InterruptedException {
        // Interrupting is how tasks learn that they are to stop.
        spark.setJobGroup(GROUP, "polder train " + run.directory(), true);
        JavaFutureAction<List<Integer>> ends = spark.parallelize(Collections.nCopies(run.workers(), 0), run.workers())
                .rdd()
                .barrier()
                .mapPartitions(rankOnNode, false, ClassTag$.MODULE$.<Integer>apply(Integer.class))
                .toJavaRDD()
                .collectAsync();
        long begun = System.nanoTime();
        boolean hasBegun = false;
        while (true) {
            try {
                ends.get(MILLISECONDS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                hasBegun |= !seen.isNoneRunning();
                if (!hasBegun && System.nanoTime() - begun > run.patience().toNanos()) {
                    ends.cancel(true);
                    throw noRoom(); // an executor was lost after there was room
                }
            } catch (ExecutionException e) {
                if (!stopped) {
                    // Which rank failed, it has said itself, unless its machine was lost.
                    say("the stage failed: "
                            + Application.sentence(e.getCause() instanceof Exception cause ? cause : e));
                }
                return false;
            }
        }
    }

    /** Until as many tasks as workers can run at a time. */
    private void awaitRoom() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        boolean told = false;
        while (!stopped && room() < run.workers()) {
            requireSpark();
            long waited = System.nanoTime() - begun;
            if (spark.isLocal() || waited > run.patience().toNanos()) {
                throw noRoom();
            }
            if (!told && waited > WAIT_UNTOLD.toNanos()) {
                say(roomThereIs() + ": waiting for more, " + run.patience().toSeconds() + " s at most");
                told = true;
            }
            Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
        }
    }

    private int room() {
        return spark.sc()
                .maxNumConcurrentTasks(spark.sc().resourceProfileManager().defaultResourceProfile());
    }

    private String roomThereIs() {
        int threads = spark.getConf().getInt(Application.TASK_CPUS, 1);
        return "Spark at " + spark.master() + " has room for " + room() + " of " + run.workers() + " workers with "
                + threads + (threads == 1 ? " thread" : " threads") + " each";
    }

    private IOException noRoom() {
        return new IOException(
                roomThereIs()
                        + ", and all are to run at a time: give it more cores or executors, or ask for fewer --workers or --threads");
    }

    private void requireSpark() throws IOException {
        if (spark.sc().isStopped()) {
            throw new IOException("the application was ended by Spark, or " + spark.master()
                    + " did not answer: go on with ./polder resume " + ShellWords.quoted(run.directory())
                    + " when it does");
        }
    }

    /** Gets what the run has come to, in place of what is in its directory. @return false if it cannot, which is told */
    private boolean fetch(RemoteTrials store, String name) {
        try (var draft = Scratch.in(run.directory())) {
            Path fetched = draft.path().resolve("run");
            if (store.fetchSave(name, fetched).isEmpty()) {
                return true; // nothing was saved yet
            }
            try (var lock = RunLock.take(run.directory());
                    Stream<Path> files = Files.list(fetched)) {
                for (Path file : files.toList()) {
                    Path target = run.directory().resolve(file.getFileName());
                    if (Files.isDirectory(file)) {
                        Scratch.delete(target);
                    }
                    Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
            return true;
        } catch (IOException e) {
            say("the run is in " + place.get().uri() + " and cannot be put into " + run.directory() + " ("
                    + Reason.of(e) + ")");
            return false;
        }
    }

    /** On a signal, before Spark ends itself. Returns when the run is saved. */
    private void stop() {
        stopped = true;
        try {
            spark.setLogLevel("OFF"); // it complains of every task that is cut short, with a stack trace
            spark.sc().cancelJobGroupAndFutureJobs(GROUP);
        } catch (IllegalStateException e) {
            // Spark was stopped from outside. The workers' processes notice, and save the run.
        }
        TrialOnNode.awaitForAWhile(isOver);
    }

    @Override
    public void close() {
        spark.stop();
        isOver.countDown();
        BeforeSpark.forget(stopOnSignal);
        RankVoice.listen((rank, kind, line) -> {});
    }
}
