package io.polder.run;

import io.polder.checkpoint.Checkpoint;
import io.polder.checkpoint.CheckpointStore;
import io.polder.checkpoint.RunLock;
import io.polder.config.ConfigException;
import io.polder.files.Reason;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.text.ShellWords;
import io.polder.train.Progress;
import io.polder.train.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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

    private Path lockFile() {
        return path.resolve(RunLock.FILE);
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
        try {
            return RecipeReader.read(recipeFile(), List.of(), name -> {});
        } catch (ConfigException e) {
            throw new DamagedRunException(
                    recipeFile() + " is damaged (" + e.mistakes().get(0) + ")",
                    "put back the one that the run began with, or name by --plugins the jar of what it does not know",
                    e);
        } catch (IOException e) {
            throw new IOException(
                    recipeFile() + " cannot be read (" + Reason.of(e) + "): put back the one that the run began with",
                    e);
        }
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

    /** @throws IOException if there is a run in the directory, or what would be mixed up with one */
    public void requireNoRun(Recipe recipe) throws IOException {
        try {
            requireNoTraceOfARun(recipe);
        } catch (IOException e) {
            if (!holdsARun()) {
                Files.deleteIfExists(lockFile());
            }
            throw e;
        }
    }

    private void requireNoTraceOfARun(Recipe recipe) throws IOException {
        if (holdsARun()) {
            throw new IOException(path + " holds a run already: go on with it by ./polder resume "
                    + ShellWords.quoted(path) + ", or choose another directory");
        }
        if (Files.exists(checkpoints()) || Files.exists(metricsFile())) {
            throw new DamagedRunException(
                    path + " has checkpoints of a run whose run.json is gone",
                    "put that back, or choose another directory",
                    null);
        }
        // A start that was killed early may have left its own.
        if (Files.exists(recipeFile()) && !hasRecipe(recipe)) {
            throw new DamagedRunException(path + " has a recipe.yaml of another run", "choose another directory", null);
        }
    }

    private boolean hasRecipe(Recipe recipe) {
        try {
            return recipe.toYaml().equals(Files.readString(recipeFile()));
        } catch (IOException e) { // no text, or no file: certainly not this one
            return false;
        }
    }

    /** @throws IOException if the run has records, so that it must have had a checkpoint, too */
    void requireNothingTrained() throws IOException {
        if (Files.exists(metricsFile())) {
            throw noCheckpoint();
        }
    }

    IOException noCheckpoint() {
        return new DamagedRunException(
                path + " has no checkpoint that is whole", "train its recipe.yaml again in another directory", null);
    }

    /** @throws DamagedRunException if something else is in the place of one of the run's files or of its checkpoints */
    public void requirePlainFiles() throws DamagedRunException {
        for (Path file : List.of(recipeFile(), infoFile(), metricsFile(), torchScriptFile(), lockFile())) {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new DamagedRunException(file + " is not a plain file", "put back the one that the run had", null);
            }
        }
        if (Files.exists(checkpoints()) && !Files.isDirectory(checkpoints())) {
            throw new DamagedRunException(
                    checkpoints() + " is not a directory", "put back the one that the run had", null);
        }
    }

    /** Removes what a start leaves that did not get as far as to be a run. */
    void forgetBeginnings() throws IOException {
        Files.deleteIfExists(recipeFile());
        Files.deleteIfExists(torchScriptFile());
        Files.deleteIfExists(lockFile());
    }

    CheckpointStore store(int keep) {
        return new CheckpointStore(checkpoints(), keep, RunDirectory::requireOwnStep);
    }

    /** What the name of a checkpoint says must be true of the state in it. */
    private static void requireOwnStep(Checkpoint checkpoint) throws IOException {
        long step = new Snapshot(checkpoint.directory()).readProgress().step();
        if (step != checkpoint.step()) {
            throw new IOException("its progress.json is that of step " + step);
        }
    }

    /**
     * The checkpoint to take weights from.
     *
     * @param complaints is told of damaged ones, which are passed over
     * @throws IOException if there is none
     */
    public Checkpoint checkpoint(Which which, Consumer<String> complaints) throws IOException {
        CheckpointStore store = store(1);
        Optional<Checkpoint> best = which == Which.BEST ? store.best(complaints) : Optional.empty();
        if (best.isPresent()) {
            return best.get();
        }
        Checkpoint newest = store.newest(complaints).orElseThrow(this::noCheckpoint);
        return which == Which.BEST ? bestKnownTo(newest, store) : newest;
    }

    /** Which epoch was the best is in the state, too, so that a mark that is lost or damaged can be done without. */
    private Checkpoint bestKnownTo(Checkpoint newest, CheckpointStore store) throws IOException {
        Progress.Best best;
        try {
            best = new Snapshot(newest.directory()).readProgress().best();
        } catch (NoSuchFileException e) {
            return newest; // which a run that goes on has deleted: whoever reads it looks again
        }
        return best == null
                ? newest
                : store.of(info().length().stepsAfter(best.epoch())).orElse(newest);
    }

    /** Which of a run's checkpoints. */
    public enum Which {
        /** The one with the lowest error; the newest where none was evaluated. */
        BEST,
        NEWEST
    }
}
