package io.polder.study.trial;

import io.polder.files.WholeFile;
import io.polder.recipe.Recipe;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import io.polder.run.RunObserver;
import io.polder.run.RunSettings;
import io.polder.run.TrainingRun;
import io.polder.train.DivergedException;
import io.polder.train.Progress;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Training by {@link TrainingRun}: the trial's directory is a run's directory. */
final class RunTraining implements TrialTraining {
    private final Consumer<String> log;

    /** @param log takes sentences that matter to whoever looks into this one trial */
    RunTraining(Consumer<String> log) {
        this.log = log;
    }

    @Override
    public Ending train(Recipe recipe, Path directory, RunSettings settings, BooleanSupplier stop) throws IOException {
        var run = new RunDirectory(directory);
        var observer = new Observer(directory, stop, log);
        run.requirePlainFiles();
        try {
            RunInfo info = run.holdsARun()
                    ? resume(recipe, run, settings, observer)
                    : TrainingRun.start(recipe, directory, settings, observer);
            if (info.status() == RunInfo.Status.done) {
                return new Ending.Done(info.length().epochs());
            }
            return observer.unsaved == null ? new Ending.Stopped() : new Ending.Unsaved(observer.unsaved);
        } catch (DivergedException e) {
            return new Ending.Diverged(e.getMessage());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (IOException e) {
            if (observer.unsaved == null) {
                throw e;
            }
            return new Ending.Unsaved(observer.unsaved);
        }
    }

    private RunInfo resume(Recipe recipe, RunDirectory run, RunSettings settings, RunObserver observer)
            throws IOException {
        // With the threads it had: another number may round otherwise.
        int threads = run.info().platform().threads();
        if (!has(recipe, run)) {
            WholeFile.write(run.recipeFile(), recipe.toYaml());
            log.accept(run.recipeFile() + " was damaged or gone, and is written anew");
        }
        return TrainingRun.resume(run.path(), settings.withThreads(threads), observer);
    }

    private static boolean has(Recipe recipe, RunDirectory run) {
        try {
            return run.recipe().hash().equals(recipe.hash());
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends the training when it cannot be saved: what follows would be lost, and the study has others that want the disk too. */
    private static final class Observer implements RunObserver {
        private final Path directory;
        private final BooleanSupplier stop;
        private final Consumer<String> log;
        private IOException unsaved;

        Observer(Path directory, BooleanSupplier stop, Consumer<String> log) {
            this.directory = directory;
            this.stop = stop;
            this.log = log;
        }

        /** No step is trained that would have to be trained again: an outcome needs the records of all epochs. */
        @Override
        public List<TrainingListener> listeners(RunInfo info, Progress from) {
            try {
                TrialRecord.requireEpochs(directory, from.epoch());
                return List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void warn(String sentence) {
            log.accept(sentence);
        }

        @Override
        public void notSaved(IOException cause) {
            warn(cause.getMessage());
            unsaved = cause;
        }

        @Override
        public boolean stopRequested() {
            return unsaved != null || stop.getAsBoolean();
        }
    }
}
