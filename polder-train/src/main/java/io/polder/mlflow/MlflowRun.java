package io.polder.mlflow;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The {@code mlflow.json} of a run's directory: which run of which server it is, so that a session that goes on with the one goes on with the other.
 *
 * @param artifactUri where the server keeps the run's artefacts, as it says itself
 * @param weights whether the weights are stored, too
 */
record MlflowRun(String server, String experiment, String runId, String artifactUri, boolean weights) {
    private static final String FILE = "mlflow.json";
    private static final int LONGEST = 100_000;
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    static Path file(Path directory) {
        return directory.resolve(FILE);
    }

    void write(Path directory) throws IOException {
        WholeFile.write(file(directory), JSON.writeValueAsString(this) + "\n");
    }

    /** @return empty where there is none, or one that cannot be read: then there is one run more on the server, and nothing is lost */
    static Optional<MlflowRun> read(Path directory) {
        try {
            if (!Files.isRegularFile(file(directory)) || Files.size(file(directory)) > LONGEST) {
                return Optional.empty();
            }
            MlflowRun run = JSON.readValue(Files.readAllBytes(file(directory)), MlflowRun.class);
            boolean whole = Stream.of(run.server, run.experiment, run.runId, run.artifactUri)
                    .allMatch(Objects::nonNull);
            return whole ? Optional.of(run) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
