package io.polder.study;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A method's outcome over its seeds, at the last epoch. The deviation is the sample standard deviation, NaN with one
 * seed. The cost is the mean time of a step divided by that of the baseline, the comparison's first method.
 */
public record MethodSummary(
        Method method, double testErrorMean, double testErrorDeviation, double gradientNormMean, double relativeCost) {

    public static List<MethodSummary> of(Comparison comparison) {
        double baseline = mean(comparison.trialsOf(comparison.methods().get(0)), TrialRecord::secondsPerStep);
        return comparison.methods().stream()
                .map(method -> of(method, comparison.trialsOf(method), baseline))
                .toList();
    }

    private static MethodSummary of(Method method, List<TrialRecord> trials, double baseline) {
        double[] errors =
                trials.stream().mapToDouble(TrialRecord::finalTestError).toArray();
        return new MethodSummary(
                method,
                StatUtils.mean(errors),
                // The library calls the deviation of one value 0; it is unknown.
                errors.length == 1 ? Double.NaN : Math.sqrt(StatUtils.variance(errors)),
                mean(trials, TrialRecord::finalGradientNorm),
                mean(trials, TrialRecord::secondsPerStep) / baseline);
    }

    private static double mean(List<TrialRecord> trials, ToDoubleFunction<TrialRecord> value) {
        return StatUtils.mean(trials.stream().mapToDouble(value).toArray());
    }
}
