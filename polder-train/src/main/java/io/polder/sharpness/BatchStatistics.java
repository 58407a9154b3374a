package io.polder.sharpness;

import java.util.Locale;

/** By what batch norm normalises while something is measured. */
public enum BatchStatistics {
    /** By the running statistics, as the trained network is used: the function that is evaluated. Without dropout. */
    EVALUATION,
    /** By each batch's own, as in training, so that they move with the parameters: the function that is trained. Dropout draws the same at each pass. */
    BATCH;

    /** As options and files have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
