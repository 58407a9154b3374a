package io.polder.cli;

import io.polder.distributed.Rendezvous;
import io.polder.recipe.Recipe;
import io.polder.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of training by several workers: started here, or by whoever started this process and told it so in the environment, as
 * torchrun does.
 */
final class WorkersMixin {
    private static final String WORKERS = "--workers";
    private static final String RESTARTS = "--restarts";
    private static final String TIMEOUT = "--worker-timeout";
    private static final String EXECUTOR = "--executor";

    /** Machines of a cluster come and go, and Spark itself starts a stage four times. */
    private static final int RESTARTS_ON_A_CLUSTER = 3;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = WORKERS,
            paramLabel = "N",
            description =
                    "Train with N processes of this machine, or of a cluster with --executor spark, which share each batch and the"
                            + " threads; the same as -s replicas=N by one. torchrun and Slurm start workers on several machines, too:"
                            + " see docs/distributed.md.")
    private Integer workers;

    @Option(
            names = RESTARTS,
            paramLabel = "N",
            description =
                    "With --workers: start again from the last checkpoint, so often at most, when a worker is lost. Default: 0,"
                            + " with --executor spark " + RESTARTS_ON_A_CLUSTER + ".")
    private Integer restarts;

    @Option(
            names = TIMEOUT,
            paramLabel = "SECONDS",
            description =
                    "How long workers wait for one that hangs; default 60. Ten times that while they start or rank 0 saves.")
    private Double timeout;

    @Option(
            names = EXECUTOR,
            paramLabel = "NAME",
            description =
                    "Where workers run: local, or spark where the module polder-spark is installed, as the tasks of a"
                            + " stage on a Spark cluster; default ${DEFAULT-VALUE}.")
    private String executor = StudyCommand.LOCAL;

    @Option(names = "--master", paramLabel = "URL", description = "With --executor spark: the cluster's master.")
    private String master;

    @Option(
            names = "--store",
            paramLabel = "URI",
            converter = PathOrUri.Converter.class,
            description =
                    "With --executor spark: where the run is kept, like hdfs://host/runs/NAME, for nodes that do not see"
                            + " its directory, which gets what the run has come to.")
    private PathOrUri store;

    /** Which worker this process is; empty where it is none, but may start some. */
    Optional<Rendezvous> rendezvous() throws IOException {
        Optional<Rendezvous> rendezvous = Main.typed(spec, () -> Rendezvous.of(System.getenv(), timeout()));
        if (rendezvous.isPresent() && (workers != null || areRemote())) {
            throw wrong((workers == null ? EXECUTOR : WORKERS)
                    + " is given to a process that is a worker already, as RANK and WORLD_SIZE say: leave it out");
        }
        return rendezvous;
    }

    private Duration timeout() {
        if (timeout == null) {
            return Rendezvous.DEFAULT_TIMEOUT;
        }
        if (!(timeout >= 0.001 && timeout <= 1e6)) {
            throw wrong(TIMEOUT + " is " + timeout + ": it must be 0.001 to 1000000 seconds");
        }
        return Duration.ofMillis(Math.round(timeout * 1000));
    }

    /** Whether the run may be where this machine does not see it. */
    boolean haveAStore() {
        return store != null;
    }

    /** Whether the workers are those of a cluster. */
    boolean areRemote() {
        if (!executor.equals(StudyCommand.LOCAL)) {
            return true;
        }
        if (master != null) {
            throw wrong("--master is for --executor spark");
        }
        if (store != null) {
            throw wrong("--store is for --executor spark: a run here is kept in its directory");
        }
        return false;
    }

    /**
     * Trains by workers of a cluster.
     *
     * @param begun the recipe of a run that begins; empty: the one in the directory goes on
     * @param replicas as many workers as that, where no number was typed; empty: not known here
     * @return the exit code
     */
    int trainRemotely(
            RunMixin options, DeviceOption device, Optional<Recipe> begun, Path directory, OptionalInt replicas)
            throws IOException {
        ClusterWorkers cluster = cluster();
        if (store != null && store.uri().isEmpty()) {
            throw wrong("--store is " + store
                    + ": it must be a URI, like hdfs://host/runs/NAME; without it the run is kept in " + directory
                    + ", where every node must see it");
        }
        if (options.threads().orElse(1) < 1) {
            throw wrong("--threads is " + options.threads().getAsInt() + ": it must be at least 1");
        }
        int number = count();
        if (workers == null) {
            number = replicas.orElseThrow(
                    () -> wrong("the run is not in " + directory + ": say by " + WORKERS + " how many it has"));
        }
        if (begun.isPresent() && begun.get().replicas() != number) {
            throw wrong(TrainingRun.otherReplicas(begun.get(), number));
        }
        device.name(); // which complains of what is none
        List<String> words = new ArrayList<>(device.arguments());
        words.addAll(arguments());
        words.addAll(options.outputArguments());
        words.addAll(((Main) spec.root().userObject()).debugArguments());
        var screen = new ClusterScreen(spec.commandLine(), options.json());
        var run = new ClusterRun(
                Optional.ofNullable(master),
                number,
                options.threads(),
                restarts == null ? RESTARTS_ON_A_CLUSTER : restarts,
                timeout().multipliedBy(Rendezvous.PATIENCE),
                begun,
                directory.toAbsolutePath().normalize(),
                Optional.ofNullable(store).flatMap(PathOrUri::uri),
                options.data().isPresent()
                        ? options.data().flatMap(PathOrUri::path).map(Path::toAbsolutePath)
                        : begun.map(recipe -> recipe.data().dir())
                                .map(dir -> Path.of(dir).toAbsolutePath()),
                options.data().flatMap(PathOrUri::uri),
                words,
                screen::print,
                screen::tell);
        try (var stop = StopOnSignal.noticing()) {
            int code = cluster.train(run);
            screen.conclude(directory, code, stop.isRequested());
            return code;
        }
    }

    private ClusterWorkers cluster() {
        for (ClusterWorkers each : ServiceLoader.load(ClusterWorkers.class)) {
            if (each.name().equals(executor)) {
                return each;
            }
        }
        throw StudyCommand.unknownExecutor(spec, executor);
    }

    /** How many processes are to be started; 1 for none. */
    int count() {
        if (workers != null && (workers < 1 || workers > 4096)) {
            throw wrong(WORKERS + " is " + workers + ": it must be 1 to 4096");
        }
        if (restarts() < 0 || (restarts() > 0 && !areRemote() && (workers == null || workers == 1))) {
            throw wrong(RESTARTS + " is " + restarts + ": it must be at least 0, and goes with " + WORKERS
                    + " of two or more");
        }
        return workers == null ? 1 : workers;
    }

    int restarts() {
        return restarts == null ? 0 : restarts;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    /** For a worker that goes on with the run. */
    List<String> arguments() {
        return timeout == null ? List.of() : List.of(TIMEOUT, timeout.toString());
    }

    /** What was typed, as each worker is to be told it. */
    List<String> argumentsOfWorkers() {
        List<String> arguments = new ArrayList<>();
        boolean isValue = false;
        for (String word : spec.root().commandLine().getParseResult().originalArgs()) {
            boolean ours = word.equals(WORKERS) || word.equals(RESTARTS);
            if (!isValue && !ours && !word.startsWith(WORKERS + "=") && !word.startsWith(RESTARTS + "=")) {
                arguments.add(word);
            }
            isValue = ours;
        }
        return arguments;
    }
}
