package io.polder.run;

import io.polder.recipe.Recipe;
import io.polder.train.EpochMetrics;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;

/**
 * When a run is saved: the same moments for all workers, of whom rank 0 writes.
 *
 * @param epochs of the whole run
 */
record SaveMoments(Recipe.Checkpoints rule, int epochs) {
    boolean after(StepMetrics step) {
        return rule.everySteps() != null && (step.step() + 1) % rule.everySteps() == 0;
    }

    /** @param progress after it */
    boolean after(EpochMetrics epoch, Progress progress) {
        return isBest(progress)
                || epoch.epoch() == epochs
                || (rule.everyEpochs() != null && epoch.epoch() % rule.everyEpochs() == 0);
    }

    /** Whether the last thing that was done is the evaluation that was the best so far. */
    static boolean isBest(Progress progress) {
        return progress.best() != null
                && progress.batch() == 0
                && progress.best().epoch() == progress.epoch();
    }
}
