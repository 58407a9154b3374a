package io.polder.mlflow;

import java.net.URI;
import java.util.Map;

/**
 * Which server is told, and of what.
 *
 * @param experiment that the run belongs to, made where there is none of that name
 * @param weights whether the weights are stored there, too
 */
public record MlflowSettings(URI server, String experiment, boolean weights) {
    private static final String EXPERIMENT = "polder";

    /** Which names the experiment, as it does for MLflow's own clients. */
    public static final String EXPERIMENT_VARIABLE = "MLFLOW_EXPERIMENT_NAME";

    public MlflowSettings {
        boolean isWeb = "http".equalsIgnoreCase(server.getScheme()) || "https".equalsIgnoreCase(server.getScheme());
        if (!isWeb || server.getHost() == null || server.getQuery() != null || server.getFragment() != null) {
            throw new IllegalArgumentException("the MLflow server is \"" + server
                    + "\": it must be an address such as http://localhost:5000, of a server that mlflow server starts");
        }
        if (server.getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the address of the MLflow server has a user's name in it, which the run would record: give"
                            + " MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN, in the environment");
        }
        if (experiment.isBlank()) {
            throw new IllegalArgumentException("the MLflow experiment's name is blank: it must have one");
        }
    }

    /** @throws IllegalArgumentException if that is not the address of a server */
    public static MlflowSettings of(String address, boolean weights, Map<String, String> environment) {
        URI server;
        try {
            server = URI.create(address.replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the MLflow server is \"" + address + "\": it must be an address such as http://localhost:5000", e);
        }
        return new MlflowSettings(server, environment.getOrDefault(EXPERIMENT_VARIABLE, EXPERIMENT), weights);
    }
}
