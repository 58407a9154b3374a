package io.polder.recipe;

import io.polder.config.Named;

/** Which images a run is judged by. */
public enum EvaluateOn implements Named {
    TEST,
    /** Images held out of the training set, so that a search does not see the test set. */
    VALIDATION
}
