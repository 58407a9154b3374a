package io.polder.run;

import io.polder.checkpoint.Checkpoint;
import io.polder.checkpoint.CheckpointStore;
import io.polder.files.WholeFile;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.train.Progress;
import io.polder.train.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A run that another one continues for more epochs. It is read, and stays as it is.
 *
 * @param recipe that of the run that goes on: the same with more epochs
 * @param newest where it goes on from
 * @param best the checkpoint of the best epoch, where it is another one that is still there
 */
record EarlierRun(RunDirectory directory, RunInfo info, Recipe recipe, Checkpoint newest, Optional<Checkpoint> best) {
    /**
     * @param complaints is told of damaged checkpoints, which are passed over
     * @throws IOException if there is no such run, or it cannot go on so
     */
    static EarlierRun of(Path run, int epochs, Consumer<String> complaints) throws IOException {
        var directory = new RunDirectory(run);
        RunInfo info = directory.info();
        Recipe recipe = directory.recipe();
        if (recipe.epochs() == null) {
            throw new IOException(
                    run + " counts steps, so that its last epoch may be half of one: only runs that count epochs"
                            + " can have more of them");
        }
        if (epochs <= recipe.epochs()) {
            throw new IOException("epochs is " + epochs + ": it must be more than " + run + " has, which is "
                    + recipe.epochs() + " (./polder resume without --epochs takes it to its end)");
        }
        if (info.stoppedEarly() != null) {
            throw new IOException(run + " stopped early " + info.stoppedEarly()
                    + ", and would again: train a recipe with more patience");
        }
        Checkpoint newest = directory.checkpoint(RunDirectory.Which.NEWEST, complaints);
        Checkpoint best = directory.checkpoint(RunDirectory.Which.BEST, complaints);
        Recipe longer = RecipeReader.read(recipe.toYaml(), run.toString(), List.of("epochs=" + epochs));
        return new EarlierRun(
                directory, info, longer, newest, Optional.of(best).filter(other -> other.step() < newest.step()));
    }

    /** As {@code run.json} has it. */
    RunInfo.Continued continued() {
        return new RunInfo.Continued(
                directory.path().toAbsolutePath().normalize().toString(),
                info.recipeHash(),
                info.length().epochs(),
                newest.step());
    }

    /** Copies its checkpoints and its record into the new run, which then goes on as any does. */
    void copyTo(RunDirectory run, CheckpointStore store, Consumer<String> complaints) throws IOException {
        if (Files.exists(directory.metricsFile())) {
            WholeFile.write(run.metricsFile(), draft -> Files.copy(directory.metricsFile(), draft));
        }
        if (best.isPresent()) {
            copy(best.get(), store, complaints);
            store.markBest(best.get().step());
        }
        copy(newest, store, complaints);
    }

    private static void copy(Checkpoint checkpoint, CheckpointStore store, Consumer<String> complaints)
            throws IOException {
        store.save(
                checkpoint.step(),
                to -> {
                    for (String file : checkpoint.files()) {
                        Files.copy(checkpoint.file(file), to.resolve(file));
                    }
                },
                complaints);
    }

    /** What becomes of the learning rate: schedules are those of a run that was as long from its start. */
    String learningRateInWords() throws IOException {
        Progress progress = new Snapshot(newest.directory()).readProgress();
        long perEpoch = info.length().stepsPerEpoch();
        double before = directory
                .recipe()
                .learningRate()
                .over(perEpoch, info.length().steps())
                .at(Math.max(0, progress.step() - 1));
        double after = recipe.learningRate()
                .over(perEpoch, recipe.totalSteps(perEpoch))
                .at(progress.step());
        return String.format(
                Locale.ROOT,
                "%s goes on from step %d for %d epochs instead of %d; schedules are those of a run of %d epochs from its start:"
                        + " the learning rate was %.4g and is %.4g now",
                directory.path(),
                progress.step(),
                recipe.epochs(),
                info.length().epochs(),
                recipe.epochs(),
                before * progress.learningRateScale(),
                after * progress.learningRateScale());
    }
}
