package io.polder.cli;

import io.polder.mlflow.MlflowSettings;
import io.polder.mlflow.MlflowTracking;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options by which an MLflow server is told of a run. */
final class MlflowMixin {
    private static final String MLFLOW = "--mlflow";
    private static final String WEIGHTS = "--mlflow-weights";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = MLFLOW,
            paramLabel = "URI",
            description = "Records the run on the MLflow server at this address too, such as http://localhost:5000;"
                    + " one that is away does not stop it. A run that goes on needs no telling again.")
    private String server;

    @Option(
            names = WEIGHTS,
            description = "With --mlflow: the best weights are stored there, too, when the run has ended.")
    private boolean weights;

    /** What was typed. */
    Optional<MlflowSettings> settings() {
        if (server == null && weights) {
            throw new ParameterException(spec.commandLine(), WEIGHTS + " is given without " + MLFLOW + " URI");
        }
        return Optional.ofNullable(server)
                .map(address -> Main.typed(spec, () -> MlflowSettings.of(address, weights, System.getenv())));
    }

    /** What was typed, or else what an earlier session of the run was told. */
    Optional<MlflowSettings> settings(Path run) {
        return settings().or(() -> MlflowTracking.ofEarlierSession(run));
    }

    /** @throws ParameterException if a server is given, where runs with the other option are not recorded */
    void requireNone(String other) {
        if (settings().isPresent()) {
            throw new ParameterException(
                    spec.commandLine(), MLFLOW + " goes without " + other + ": workers of a cluster are not recorded");
        }
    }

    /** The same for a process that goes on with the run. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (server != null) {
            arguments.addAll(List.of(MLFLOW, server));
        }
        if (weights) {
            arguments.add(WEIGHTS);
        }
        return arguments;
    }
}
