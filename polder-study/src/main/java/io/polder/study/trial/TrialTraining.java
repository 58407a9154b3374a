package io.polder.study.trial;

import io.polder.recipe.Recipe;
import io.polder.run.DamagedRunException;
import io.polder.run.RunSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Trains a trial's recipe in the trial's directory, from its beginning or from where it was stopped or killed. */
interface TrialTraining {
    /** How it ended. */
    sealed interface Ending {
        /** It was trained to its end, so many epochs. */
        record Done(int epochs) implements Ending {}

        /** As it was asked to. */
        record Stopped() implements Ending {}

        record Diverged(String reason) implements Ending {}

        /** What it came to could not be saved, so it ended rather than train in vain. It goes on from its last checkpoint. */
        record Unsaved(IOException cause) implements Ending {}
    }

    /**
     * It leaves {@code metrics.jsonl} behind.
     *
     * @throws DamagedRunException if what an earlier attempt left cannot be gone on with
     * @param stop looked at before each step; true: save the state and end
     */
    Ending train(Recipe recipe, Path directory, RunSettings settings, BooleanSupplier stop) throws IOException;
}
