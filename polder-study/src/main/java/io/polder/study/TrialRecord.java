package io.polder.study;

import java.util.List;
import java.util.Objects;

/** One training run: a method, a seed, and what was measured. {@code trainSeconds} leaves evaluation out. */
public record TrialRecord(String method, int seed, List<EpochRecord> epochs, long steps, double trainSeconds) {
    public TrialRecord {
        Objects.requireNonNull(method, "method");
        epochs = List.copyOf(epochs);
        for (int i = 1; i < epochs.size(); i++) {
            if (epochs.get(i).epoch() <= epochs.get(i - 1).epoch()) {
                throw new IllegalArgumentException("epoch " + epochs.get(i).epoch() + " follows epoch "
                        + epochs.get(i - 1).epoch() + ": epochs must ascend");
            }
        }
        if (steps < 0 || trainSeconds < 0) {
            throw new IllegalArgumentException(
                    "steps is " + steps + " and trainSeconds " + trainSeconds + ": both must be at least 0");
        }
    }

    /** NaN when no epoch was finished, as is the other. */
    public double finalTestError() {
        return epochs.isEmpty() ? Double.NaN : last().testError();
    }

    public double finalGradientNorm() {
        return epochs.isEmpty() ? Double.NaN : last().gradientNorm();
    }

    private EpochRecord last() {
        return epochs.get(epochs.size() - 1);
    }
}
