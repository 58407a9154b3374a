package io.polder.study.trial;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What became of a trial: the content of {@code outcome.json}. Errors are fractions, 0 to 1; NaN stands for what was not measured.
 *
 * @param id what names the trial: {@link TrialIds}
 * @param recipe the resolved recipe as canonical YAML
 * @param name the recipe's name
 * @param method the name of the recipe's scheme: {@code standard}, {@code sam} or {@code gradient-norm-penalty}
 * @param reason why it is not {@link Status#DONE}, in one sentence; empty if it is
 * @param evaluatedOn {@value #TEST} or {@value #VALIDATION}: where the errors and the loss come from
 * @param epochs how many were done
 * @param lastError after the last epoch; what tables show and searches choose by
 * @param bestError the least of any evaluation; choosing the epoch by it on the test set flatters
 * @param gradientNorm the mean of ‖g1‖ over the last epoch's steps
 * @param seconds of training, evaluation and pauses left out
 * @param attempts how often it was started, resuming included
 * @param started the first time
 * @param machine what it ended on, as far as that can change last digits: the processor and the threads it had, and the versions of
 *     Polder and of the engine; and what it began on, where that differs
 */
public record TrialOutcome(
        String id,
        String recipe,
        String name,
        String method,
        long seed,
        Status status,
        String reason,
        String evaluatedOn,
        int epochs,
        double lastError,
        double bestError,
        double lastLoss,
        double top5Error,
        double gradientNorm,
        double parameterNorm,
        double seconds,
        double imagesPerSecond,
        int attempts,
        Instant started,
        String machine,
        List<EpochPoint> curve) {
    public static final String TEST = "test";
    public static final String VALIDATION = "validation";

    /** How a trial ended. */
    public enum Status {
        /** Trained to its end. */
        DONE,
        /** Its loss or gradient left all bounds. It would again: a result, though not a number. */
        DIVERGED,
        /** Stopped by something else, as often as it was tried. A later study tries again. */
        FAILED
    }

    public TrialOutcome {
        if (!TrialTask.ID.matcher(id).matches()) {
            throw new IllegalArgumentException("id is '" + id + "': it must be 64 hexadecimal digits");
        }
        Objects.requireNonNull(recipe, "recipe");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(started, "started");
        Objects.requireNonNull(machine, "machine");
        if (reason.isBlank() != (status == Status.DONE)) {
            throw new IllegalArgumentException("reason is '" + reason + "' of a trial that is " + status
                    + ": all but DONE must have one, and only they");
        }
        if (!evaluatedOn.equals(TEST) && !evaluatedOn.equals(VALIDATION)) {
            throw new IllegalArgumentException(
                    "evaluatedOn is '" + evaluatedOn + "': it must be " + TEST + " or " + VALIDATION);
        }
        if (epochs < 0 || attempts < 1 || seconds < 0) {
            throw new IllegalArgumentException("epochs is " + epochs + ", attempts " + attempts + " and seconds "
                    + seconds + ": they must be at least 0, 1 and 0");
        }
        requireNotNegative("gradientNorm", gradientNorm);
        requireNotNegative("parameterNorm", parameterNorm);
        requireNotNegative("imagesPerSecond", imagesPerSecond);
        requireFraction("lastError", lastError);
        requireFraction("bestError", bestError);
        requireFraction("top5Error", top5Error);
        if (status == Status.DONE && Double.isNaN(lastError)) {
            throw new IllegalArgumentException("lastError is NaN: a trial that is DONE must have one");
        }
        curve = curve instanceof LazyCurve ? curve : checked(List.copyOf(curve));
    }

    static List<EpochPoint> checked(List<EpochPoint> curve) {
        for (int i = 1; i < curve.size(); i++) {
            if (curve.get(i).epoch() <= curve.get(i - 1).epoch()) {
                throw new IllegalArgumentException("epoch " + curve.get(i).epoch() + " follows epoch "
                        + curve.get(i - 1).epoch() + ": epochs must ascend");
            }
        }
        return curve;
    }

    public boolean isDone() {
        return status == Status.DONE;
    }

    static void requireNotNegative(String name, double value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be at least 0");
        }
    }

    static void requireFraction(String name, double value) {
        if (value < 0 || value > 1) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a fraction from 0 to 1");
        }
    }
}
