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
        try {
            RunInfo info = run.holdsARun()
                    // With the threads it had: another number may round otherwise.
                    ? TrainingRun.resume(
                            directory, settings.withThreads(run.info().threads()), observer(stop))
                    : TrainingRun.start(recipe, directory, settings, observer(stop));
            return info.status() == RunInfo.Status.done ? new Ending.Done() : new Ending.Stopped();
        } catch (DivergedException e) {
            return new Ending.Diverged(e.getMessage());
        }
    }

    private static RunObserver observer(BooleanSupplier stop) {
        return new RunObserver() {
            @Override
            public void warn(String sentence) {
                System.err.println(sentence); // into the trial's log
            }

            @Override
            public boolean stopRequested() {
                return stop.getAsBoolean();
            }
        };
    }
}
