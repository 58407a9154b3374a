package io.polder.study.search;

import io.polder.study.trial.TrialOutcome;

/** Is told how a study gets on. Called on the study's thread, but for {@link #started}, which any thread may call. */
public interface StudyWatcher {
    /** What is wanted by now; again whenever an outcome came in. */
    default void planned(StudyPlan plan) {}

    /** A trial's process has started; again when it is tried again. */
    default void started(Trial trial) {}

    /** A trial has its outcome, from here or from another coordinator. */
    default void ended(Trial trial, TrialOutcome outcome) {}

    /** Something was found damaged that does not stop the study, in a sentence that names the file. */
    default void warned(String sentence) {}

    /** A trial's process crashed, and it will be tried again. */
    default void crashed(Trial trial, String reason) {}
}
