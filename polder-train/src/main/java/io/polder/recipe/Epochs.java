package io.polder.recipe;

/** Times of a recipe are in epochs, which need not be whole; those of a schedule are in steps. */
final class Epochs {
    private Epochs() {}

    /** To the nearest step, at least one; the whole run where {@code epochs} is null. */
    static long steps(Double epochs, long stepsPerEpoch, long totalSteps) {
        return epochs == null ? Math.max(1, totalSteps) : Math.max(1, Math.round(epochs * stepsPerEpoch));
    }
}
