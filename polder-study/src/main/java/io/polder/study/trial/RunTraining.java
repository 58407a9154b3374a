package io.polder.study.trial;

import io.polder.recipe.Recipe;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import io.polder.run.RunObserver;
import io.polder.run.RunSettings;
import io.polder.run.TrainingRun;
import io.polder.train.DivergedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Training by {@link TrainingRun}: the trial's directory is a run's directory. */
final class RunTraining implements TrialTraining {
    @Override
    public Ending train(Recipe recipe, Path directory, RunSettings settings, BooleanSupplier stop) throws IOException {
        var run = new RunDirectory(directory);
        var observer = new Observer(stop);
        try {
            RunInfo info = run.holdsARun()
                    // With the threads it had: another number may round otherwise.
                    ? TrainingRun.resume(
                            directory, settings.withThreads(run.info().threads()), observer)
                    : TrainingRun.start(recipe, directory, settings, observer);
            if (info.status() == RunInfo.Status.done) {
                return new Ending.Done();
            }
            return observer.unsaved == null ? new Ending.Stopped() : new Ending.Unsaved(observer.unsaved);
        } catch (DivergedException e) {
            return new Ending.Diverged(e.getMessage());
        } catch (IOException e) {
            if (observer.unsaved == null) {
                throw e;
            }
            return new Ending.Unsaved(observer.unsaved);
        }
    }

    /** Ends the training when it cannot be saved: what follows would be lost, and the study has others that want the disk too. */
    private static final class Observer implements RunObserver {
        private final BooleanSupplier stop;
        private IOException unsaved;

        Observer(BooleanSupplier stop) {
            this.stop = stop;
        }

        @Override
        public void warn(String sentence) {
            System.err.println(sentence); // into the trial's log
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
