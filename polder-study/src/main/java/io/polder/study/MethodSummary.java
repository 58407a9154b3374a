package io.polder.study;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * A method's outcome over its seeds, at the last epoch. The deviation is the sample standard deviation, NaN with one
 * seed. The cost is the time an image takes in training, divided by that of the baseline, the comparison's first method:
 * the median over all epochs of all seeds, as other work on the machine slows some of them down.
 */
public record MethodSummary(
        Method method, double testErrorMean, double testErrorDeviation, double gradientNormMean, double relativeCost) {

    public static List<MethodSummary> of(Comparison comparison) {
        double baseline =
                secondsPerImage(comparison.trialsOf(comparison.methods().get(0)));
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
                secondsPerImage(trials) / baseline);
    }

    private static double secondsPerImage(List<TrialRecord> trials) {
        return new Median()
                .evaluate(trials.stream()
                        .flatMap(trial -> trial.epochs().stream())
                        .mapToDouble(epoch -> 1 / epoch.imagesPerSecond())
                        .toArray());
    }

    private static double mean(List<TrialRecord> trials, ToDoubleFunction<TrialRecord> value) {
        return StatUtils.mean(trials.stream().mapToDouble(value).toArray());
    }
}
