package io.polder.recipe;

import io.polder.config.Yaml;

/** Which images a run is judged by. */
public enum EvaluateOn {
    TEST,
    /** Images held out of the training set, so that a search does not see the test set. */
    VALIDATION;

    /** As a recipe has it. */
    public String text() {
        return Yaml.name(this);
    }
}
