package io.polder.train;

/** Watches a run. Called on the training thread: what takes long here slows training down; it cannot change it. */
public interface TrainingListener {
    default void onStep(StepMetrics metrics) {}

    default void onEpoch(EpochMetrics metrics) {}

    /** An evaluation is getting on: so many of its batches are done. */
    default void onEvaluation(int done, int all) {}
}
