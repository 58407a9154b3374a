package io.polder.study;

import io.polder.metrics.RunRecord;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartHtml;
import io.polder.study.page.Style;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The curves of one run or of several. A curve has at most {@value #MOST_POINTS} points: where there are more measurements, a
 * point is the mean of a stretch of them, in a band from the lowest to the highest.
 */
final class RunCharts {
    /** Enough for the shape, few enough that the noise of single batches goes into the band. */
    static final int MOST_POINTS = ChartHtml.MOST_POINTS;

    private RunCharts() {}

    static String html(List<RunSnapshot> runs) {
        return ChartHtml.of(runs.size() == 1 ? ofOne(runs.get(0)) : ofSeveral(runs));
    }

    private static List<Chart> ofOne(RunSnapshot run) {
        Style first = Style.of(1);
        Style second = Style.of(2);
        Style third = Style.of(3);
        List<Chart.Series> errors = new ArrayList<>();
        errors.add(ofSteps(run, "Training", first, step -> 100 * step.figure("error")));
        errors.add(ofTests(run, "Test", second, test -> 100 * test.figure("error")));
        Chart.Series top5 = ofTests(run, "Test, top 5", third, test -> 100 * test.figure("top5Error"));
        if (top5.points().stream().anyMatch(point -> point.mean() > 0)) {
            errors.add(top5);
        }
        return List.of(
                percentages("Error, %", errors),
                wide(
                        "Loss",
                        List.of(
                                ofSteps(run, "Training", first, StepMetrics::loss),
                                ofTests(run, "Test", second, test -> test.figure("loss")))),
                wide(
                        "Gradient norm",
                        List.of(
                                ofSteps(run, "‖g₁‖, at the weights", first, StepMetrics::referenceNorm),
                                ofSteps(run, "‖g‖, stepped with", third, StepMetrics::norm))),
                narrow("Parameter norm", List.of(ofSteps(run, "‖θ‖", first, StepMetrics::parameterNorm))),
                narrow("Learning rate", List.of(ofSteps(run, "Learning rate", first, StepMetrics::learningRate))),
                settings(
                        "Radius r and share α",
                        List.of(
                                ofSteps(run, "r", first, step -> step.figure("r")),
                                ofSteps(run, "α", second, step -> step.figure("alpha")))));
    }

    private static List<Chart> ofSeveral(List<RunSnapshot> runs) {
        return List.of(
                percentages("Test error, %", ofTests(runs, test -> 100 * test.figure("error"))),
                percentages("Training error, %", ofSteps(runs, step -> 100 * step.figure("error"))),
                wide("Test loss", ofTests(runs, test -> test.figure("loss"))),
                wide("Training loss", ofSteps(runs, StepMetrics::loss)),
                wide("Gradient norm ‖g₁‖", ofSteps(runs, StepMetrics::referenceNorm)),
                narrow("Parameter norm", ofSteps(runs, StepMetrics::parameterNorm)),
                narrow("Learning rate", ofSteps(runs, StepMetrics::learningRate)),
                settings("Share α", ofSteps(runs, step -> step.figure("alpha"))));
    }

    private static Chart percentages(String title, List<Chart.Series> series) {
        return Chart.course(title, Chart.Scale.LINEAR, series, percent -> NumberText.fixed(percent, 2));
    }

    private static Chart wide(String title, List<Chart.Series> series) {
        return Chart.course(title, Chart.Scale.LOGARITHMIC_IF_WIDE, series, NumberText::significant);
    }

    private static Chart narrow(String title, List<Chart.Series> series) {
        return Chart.course(title, Chart.Scale.LINEAR, series, NumberText::significant);
    }

    private static Chart settings(String title, List<Chart.Series> series) {
        return Chart.course(title, Chart.Scale.FROM_ZERO, series, NumberText::significantAtMost);
    }

    private static List<Chart.Series> ofSteps(List<RunSnapshot> runs, ToDoubleFunction<StepMetrics> quantity) {
        return IntStream.range(0, runs.size())
                .mapToObj(i -> ofSteps(runs.get(i), runs.get(i).name(), Style.withoutBaseline(i), quantity))
                .toList();
    }

    private static List<Chart.Series> ofTests(List<RunSnapshot> runs, ToDoubleFunction<Evaluation> quantity) {
        return IntStream.range(0, runs.size())
                .mapToObj(i -> ofTests(runs.get(i), runs.get(i).name(), Style.withoutBaseline(i), quantity))
                .toList();
    }

    private static Chart.Series ofSteps(
            RunSnapshot run, String label, Style style, ToDoubleFunction<StepMetrics> quantity) {
        double stepsPerEpoch = run.stepsPerEpoch();
        List<Measurement> measurements = new ArrayList<>();
        for (RunRecord.Step step : run.history().steps()) {
            StepMetrics metrics = step.metrics();
            // Without their number, the steps of a first epoch that is not done stand at its beginning.
            double epoch = stepsPerEpoch > 0 ? (metrics.step() + 1) / stepsPerEpoch : metrics.epoch();
            measurements.add(new Measurement(epoch, quantity.applyAsDouble(metrics)));
        }
        return new Chart.Series(label, style, points(measurements));
    }

    private static Chart.Series ofTests(
            RunSnapshot run, String label, Style style, ToDoubleFunction<Evaluation> quantity) {
        List<Measurement> measurements = new ArrayList<>();
        for (RunRecord.Epoch epoch : run.history().epochs()) {
            EpochMetrics metrics = epoch.metrics();
            metrics.test()
                    .ifPresent(
                            test -> measurements.add(new Measurement(metrics.epoch(), quantity.applyAsDouble(test))));
        }
        return new Chart.Series(label, style, points(measurements));
    }

    record Measurement(double epoch, double value) {}

    /**
     * Stretches are as long as a power of two, so that a curve that grows does not change its past with every step, and what is
     * left at the end belongs to the last of them, which a single batch would make jump.
     */
    static List<Chart.Point> points(List<Measurement> measurements) {
        int stretch = 1;
        while (measurements.size() / stretch > MOST_POINTS) {
            stretch *= 2;
        }
        List<Chart.Point> points = new ArrayList<>();
        for (int from = 0; from < measurements.size(); ) {
            int to = measurements.size() - from < 2 * stretch ? measurements.size() : from + stretch;
            var some = measurements.subList(from, to);
            // At its end, not its middle: the last point is where the run is.
            points.add(Chart.Point.of(
                    measurements.get(to - 1).epoch(), some.stream().mapToDouble(Measurement::value)));
            from = to;
        }
        return points;
    }
}
