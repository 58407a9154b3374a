package io.polder.study;

import java.util.ArrayList;
import java.util.List;

/**
 * Says in plain sentences which differences in test error are larger than the noise between seeds, and claims nothing
 * for the others. Each pair of methods is judged by its own {@link PairedTest} at 95 %, without correction for the
 * number of pairs.
 */
public final class Verdict {
    private Verdict() {}

    public static String of(Comparison comparison) {
        List<Method> methods = comparison.methods();
        if (methods.size() == 1) {
            return "Only one method was trained, so there is nothing to compare it with.";
        }
        if (comparison.seeds().size() == 1) {
            return "One seed cannot tell a difference between methods from noise: no claim.";
        }
        List<String> sentences = new ArrayList<>();
        for (int baseline = 0; baseline < methods.size(); baseline++) {
            for (int other = methods.size() - 1; other > baseline; other--) {
                sentences.add(sentence(comparison, methods.get(other), methods.get(baseline), sentences.isEmpty()));
            }
        }
        return String.join(" ", sentences);
    }

    /** The first sentence names the seeds and the interval; the others lean on it. */
    private static String sentence(Comparison comparison, Method method, Method baseline, boolean first) {
        PairedTest test = PairedTest.of(comparison, method, baseline);
        String judgement = judge(method.inSentence(), baseline.inSentence(), test, first ? "95 % interval " : "");
        return first
                ? "Over " + test.pairs() + " seeds, " + judgement
                : Character.toUpperCase(judgement.charAt(0)) + judgement.substring(1);
    }

    private static String judge(String method, String baseline, PairedTest test, String intervalName) {
        double difference = test.meanDifference();
        if (Double.isNaN(difference)) {
            return "not every trial of " + method + " and " + baseline + " has a test error: no claim.";
        }
        if (difference == 0 && !test.measuresNoise()) {
            return method + " and " + baseline + " have the same test error on every seed.";
        }
        String points = NumberText.points(Math.abs(difference)) + " points";
        String comparison = "test error is " + points + (difference < 0 ? " lower" : " higher") + " with " + method
                + " than with " + baseline;
        if (!test.measuresNoise()) {
            return comparison + " on every seed alike, which leaves no noise to measure it against: no claim.";
        }
        // The interval takes the sign of its sentence: "1.10 points lower (0.40 to 1.80)".
        String interval =
                intervalName + (difference < 0 ? range(-test.high(), -test.low()) : range(test.low(), test.high()));
        return test.excludesZero()
                ? comparison + " (" + interval + "): more than the noise."
                : "between " + method + " and " + baseline + " the difference in test error (" + points + ", "
                        + interval + ") is within the noise: no claim.";
    }

    private static String range(double low, double high) {
        return NumberText.points(low) + " to " + NumberText.points(high);
    }
}
