package io.polder.cli;

import io.polder.distributed.Rendezvous;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = WORKERS,
            paramLabel = "N",
            description =
                    "Trains with N processes of this machine, which share each batch and the threads; the same as"
                            + " -s replicas=N by one. torchrun and Slurm start workers on several machines, see docs/distributed.md.")
    private Integer workers;

    @Option(
            names = RESTARTS,
            paramLabel = "N",
            description =
                    "With --workers: starts again from the last checkpoint, so often at most, when a worker is lost.")
    private int restarts;

    @Option(
            names = TIMEOUT,
            paramLabel = "SECONDS",
            description =
                    "How long workers wait for one that hangs; default 60. Ten times that while they start or rank 0 saves.")
    private Double timeout;

    /** Which worker this process is; empty where it is none, but may start some. */
    Optional<Rendezvous> rendezvous() throws IOException {
        Optional<Rendezvous> rendezvous = Main.typed(spec, () -> Rendezvous.of(System.getenv(), timeout()));
        if (rendezvous.isPresent() && workers != null) {
            throw wrong(WORKERS
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

    /** How many processes are to be started; 1 for none. */
    int count() {
        if (workers != null && (workers < 1 || workers > 4096)) {
            throw wrong(WORKERS + " is " + workers + ": it must be 1 to 4096");
        }
        if (restarts < 0 || (restarts > 0 && (workers == null || workers == 1))) {
            throw wrong(RESTARTS + " is " + restarts + ": it must be at least 0, and goes with " + WORKERS
                    + " of two or more");
        }
        return workers == null ? 1 : workers;
    }

    int restarts() {
        return restarts;
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
