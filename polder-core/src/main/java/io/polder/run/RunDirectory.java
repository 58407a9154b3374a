package io.polder.run;

import io.polder.checkpoint.Checkpoint;
import io.polder.checkpoint.CheckpointStore;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Where the files of a run are. */
public record RunDirectory(Path path) {
    public Path recipeFile() {
        return path.resolve("recipe.yaml");
    }

    public Path infoFile() {
        return path.resolve("run.json");
    }

    public Path metricsFile() {
        return path.resolve("metrics.jsonl");
    }

    public Path reportFile() {
        return path.resolve("report.html");
    }

    Path torchScriptFile() {
        return path.resolve("model.ts");
    }

    private Path checkpoints() {
        return path.resolve("checkpoints");
    }

    public boolean holdsARun() {
        return Files.exists(infoFile());
    }

    /** @throws IOException if there is no run in the directory, or its recipe is damaged */
    public Recipe recipe() throws IOException {
        requireRun();
        return RecipeReader.read(Files.readString(recipeFile()), recipeFile().toString(), List.of());
    }

    /** @throws IOException if there is no run in the directory, or its description is damaged */
    public RunInfo info() throws IOException {
        requireRun();
        return RunInfo.read(infoFile());
    }

    private void requireRun() throws IOException {
        if (!holdsARun()) {
            throw new IOException(path + " holds no run: give the directory that ./polder train printed");
        }
    }

    CheckpointStore store(Recipe recipe) {
        return new CheckpointStore(checkpoints(), recipe.checkpoint().keep());
    }

    /**
     * The checkpoint to take weights from.
     *
     * @param complaints is told of damaged ones, which are passed over
     * @throws IOException if there is none
     */
    public Checkpoint checkpoint(Which which, Consumer<String> complaints) throws IOException {
        var store = new CheckpointStore(checkpoints(), 1);
        Optional<Checkpoint> best = which == Which.BEST ? store.best(complaints) : Optional.empty();
        return best.or(() -> Optional.empty())
                .orElse(store.newest(complaints)
                        .orElseThrow(() -> new IOException(path + " has no checkpoint that is whole: train it first")));
    }

    /** Which of a run's checkpoints. */
    public enum Which {
        /** The one with the lowest error; the newest where none was evaluated. */
        BEST,
        NEWEST
    }
}
