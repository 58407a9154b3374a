package io.polder.study.search;

import io.polder.study.trial.TrialOutcome;
import java.util.Optional;

/** What became of trials. */
@FunctionalInterface
public interface Outcomes {
    /** The outcome of a trial by its id; empty while it has none. */
    Optional<TrialOutcome> of(String id);
}
