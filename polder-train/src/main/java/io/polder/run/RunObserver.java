package io.polder.run;

import io.polder.train.Progress;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.util.List;

/** Who watches a run, and may end it. Called on the training thread, but for {@link #warn}, which any thread may call. */
public interface RunObserver {
    /** Training is about to begin, from this point: who listens to it? */
    default List<TrainingListener> listeners(RunInfo info, Progress from) {
        return List.of();
    }

    /** Something to be told in a sentence that does not end the run: a full disk, a damaged checkpoint, a step that hangs. */
    default void warn(String sentence) {}

    /** The state cannot be saved now. The run goes on, as the next save may succeed, unless a stop is requested. */
    default void notSaved(IOException cause) {
        warn(cause.getMessage());
    }

    /** Looked at before each step: true ends the run in good order. */
    default boolean stopRequested() {
        return false;
    }
}
