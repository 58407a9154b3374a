package io.polder.study;

import io.polder.metrics.RunRecord;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The curves of one run or of several. A curve has at most {@value #MOST_POINTS} points: where there are more measurements, a
 * point is the mean of a stretch of them, in a band from the lowest to the highest.
 */
final class RunCharts {
    /** Enough for the shape, few enough that the noise of single batches goes into the band. */
    static final int MOST_POINTS = 160;

    private static final DoubleFunction<String> PERCENT = percent -> NumberText.fixed(percent, 2);

    private RunCharts() {}

    static String html(List<RunSnapshot> runs) {
        List<LineChart> charts = runs.size() == 1 ? ofOne(runs.get(0)) : ofSeveral(runs);
        return charts.stream()
                .map(LineChart::html)
                .collect(Collectors.joining("", "<div class=\"charts\">\n", "</div>\n"));
    }

    private static List<LineChart> ofOne(RunSnapshot run) {
        Curve trainLoss = ofSteps(run, "Training", "c1", StepMetrics::loss);
        Curve testLoss = ofTests(run, "Test", "c2", test -> test.figure("loss"));
        Curve trainError = ofSteps(run, "Training", "c1", step -> 100 * step.figure("error"));
        Curve testError = ofTests(run, "Test", "c2", test -> 100 * test.figure("error"));
        Curve top5 = ofTests(run, "Test, top 5", "c3", test -> 100 * test.figure("top5Error"));
        boolean hasTop5 = top5.points().stream().anyMatch(point -> point.mean() > 0);
        return List.of(
                LineChart.linear(
                        "Error, %",
                        hasTop5 ? List.of(trainError, testError, top5) : List.of(trainError, testError), PERCENT),
                LineChart.logarithmicIfWide("Loss", List.of(trainLoss, testLoss), NumberText::significant),
                LineChart.logarithmicIfWide(
                        "Gradient norm",
                        List.of(
                                ofSteps(run, "‖g₁‖, at the weights", "c1", StepMetrics::referenceNorm),
                                ofSteps(run, "‖g‖, stepped with", "c3", StepMetrics::norm)),
                        NumberText::significant),
                alone("Parameter norm", ofSteps(run, "‖θ‖", "c1", StepMetrics::parameterNorm)),
                alone("Learning rate", ofSteps(run, "Learning rate", "c1", StepMetrics::learningRate)),
                LineChart.fromZero(
                        "Radius r and share α",
                        List.of(
                                ofSteps(run, "r", "c1", step -> step.figure("r")),
                                ofSteps(run, "α", "c2", step -> step.figure("alpha"))),
                        NumberText::significantAtMost));
    }

    private static List<LineChart> ofSeveral(List<RunSnapshot> runs) {
        return List.of(
                LineChart.linear("Test error, %", ofTests(runs, test -> 100 * test.figure("error")), PERCENT),
                LineChart.linear("Training error, %", ofSteps(runs, step -> 100 * step.figure("error")), PERCENT),
                LineChart.logarithmicIfWide(
                        "Test loss", ofTests(runs, test -> test.figure("loss")), NumberText::significant),
                LineChart.logarithmicIfWide("Training loss", ofSteps(runs, StepMetrics::loss), NumberText::significant),
                LineChart.logarithmicIfWide(
                        "Gradient norm ‖g₁‖", ofSteps(runs, StepMetrics::referenceNorm), NumberText::significant),
                LineChart.linear("Parameter norm", ofSteps(runs, StepMetrics::parameterNorm), NumberText::significant),
                LineChart.linear("Learning rate", ofSteps(runs, StepMetrics::learningRate), NumberText::significant),
                LineChart.fromZero(
                        "Share α", ofSteps(runs, step -> step.figure("alpha")), NumberText::significantAtMost));
    }

    private static LineChart alone(String title, Curve curve) {
        return LineChart.linear(title, List.of(curve), NumberText::significant);
    }

    /** {@code report.css} has seven colours for runs; the eighth is the first again, but dashed. */
    static String style(int run) {
        return "c" + (1 + run % 7) + (run / 7 % 2 == 0 ? "" : " again");
    }

    private static List<Curve> ofSteps(List<RunSnapshot> runs, ToDoubleFunction<StepMetrics> quantity) {
        List<Curve> curves = new ArrayList<>();
        for (RunSnapshot run : runs) {
            curves.add(ofSteps(run, run.name(), style(curves.size()), quantity));
        }
        return curves;
    }

    private static List<Curve> ofTests(List<RunSnapshot> runs, ToDoubleFunction<Evaluation> quantity) {
        List<Curve> curves = new ArrayList<>();
        for (RunSnapshot run : runs) {
            curves.add(ofTests(run, run.name(), style(curves.size()), quantity));
        }
        return curves;
    }

    private static Curve ofSteps(RunSnapshot run, String label, String style, ToDoubleFunction<StepMetrics> quantity) {
        double stepsPerEpoch = run.stepsPerEpoch();
        List<Measurement> measurements = new ArrayList<>();
        for (RunRecord.Step step : run.history().steps()) {
            StepMetrics metrics = step.metrics();
            // Without their number, the steps of a first epoch that is not done stand at its beginning.
            double epoch = stepsPerEpoch > 0 ? (metrics.step() + 1) / stepsPerEpoch : metrics.epoch();
            measurements.add(new Measurement(epoch, quantity.applyAsDouble(metrics)));
        }
        return new Curve(label, style, points(measurements));
    }

    private static Curve ofTests(RunSnapshot run, String label, String style, ToDoubleFunction<Evaluation> quantity) {
        List<Measurement> measurements = new ArrayList<>();
        for (RunRecord.Epoch epoch : run.history().epochs()) {
            EpochMetrics metrics = epoch.metrics();
            metrics.test()
                    .ifPresent(
                            test -> measurements.add(new Measurement(metrics.epoch(), quantity.applyAsDouble(test))));
        }
        return new Curve(label, style, points(measurements));
    }

    record Measurement(double epoch, double value) {}

    /**
     * Stretches are as long as a power of two, so that a curve that grows does not change its past with every step, and what is
     * left at the end belongs to the last of them, which a single batch would make jump.
     */
    static List<Curve.Point> points(List<Measurement> measurements) {
        int stretch = 1;
        while (measurements.size() / stretch > MOST_POINTS) {
            stretch *= 2;
        }
        List<Curve.Point> points = new ArrayList<>();
        for (int from = 0; from < measurements.size(); ) {
            int to = measurements.size() - from < 2 * stretch ? measurements.size() : from + stretch;
            var some = measurements.subList(from, to);
            // At its end, not its middle: the last point is where the run is.
            points.add(Curve.Point.of(
                    measurements.get(to - 1).epoch(), some.stream().mapToDouble(Measurement::value)));
            from = to;
        }
        return points;
    }
}
