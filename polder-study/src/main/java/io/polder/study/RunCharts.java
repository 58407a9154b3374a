package io.polder.study;

import io.polder.metrics.RunRecord;
import io.polder.penalty.StepGradient;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartHtml;
import io.polder.study.page.Style;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.Figure;
import io.polder.train.Figures;
import io.polder.train.StepMetrics;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The curves of one run or of several. A curve has at most {@value #MOST_POINTS} points: where there are more measurements, a
 * point is the mean of a stretch of them, in a band from the lowest to the highest.
 */
final class RunCharts {
    /** Enough for the shape, few enough that the noise of single batches goes into the band. */
    static final int MOST_POINTS = ChartHtml.MOST_POINTS;

    /** What has a chart of its own; any other figure of a scheme has one by its name. */
    private static final Set<String> OF_THE_PENALTY = Set.of(StepGradient.R, StepGradient.ALPHA);

    private RunCharts() {}

    static String html(List<RunSnapshot> runs) {
        return ChartHtml.of(runs.size() == 1 ? ofOne(runs.get(0)) : ofSeveral(runs));
    }

    private static List<Chart> ofOne(RunSnapshot run) {
        Style first = Style.of(1);
        Style second = Style.of(2);
        Style third = Style.of(3);
        List<Chart> charts = new ArrayList<>(ofTask(run));
        charts.addAll(List.of(
                wide(
                        "Loss",
                        List.of(
                                ofSteps(run, "Training", first, StepMetrics::loss),
                                ofTests(run, "Test", second, test -> test.figure(Figure.loss())))),
                wide(
                        "Gradient norm",
                        List.of(
                                ofSteps(run, "‖g₁‖, at the weights", first, StepMetrics::referenceNorm),
                                ofSteps(run, "‖g‖, stepped with", third, StepMetrics::norm))),
                narrow("Parameter norm", List.of(ofSteps(run, "‖θ‖", first, StepMetrics::parameterNorm))),
                narrow("Learning rate", List.of(ofSteps(run, "Learning rate", first, StepMetrics::learningRate)))));
        Set<String> others = run.schemeFigures();
        if (others.isEmpty() || others.removeAll(OF_THE_PENALTY)) {
            charts.add(settings(
                    "Radius r and share α",
                    List.of(
                            ofSteps(run, "r", first, step -> step.figure(StepGradient.R)),
                            ofSteps(run, "α", second, step -> step.figure(StepGradient.ALPHA)))));
        }
        others.forEach(name -> charts.add(
                narrow(inWords(name), List.of(ofSteps(run, inWords(name), first, step -> step.figure(name))))));
        run.probes()
                .forEach(name -> charts.add(wide(inWords(name), List.of(ofProbes(run, inWords(name), first, name)))));
        return charts;
    }

    /** That which judges first, with those that are kinds of it; then each of the others. */
    private static List<Chart> ofTask(RunSnapshot run) {
        Figures figures = run.facts().figures();
        Figure judge = figures.judge();
        List<Chart.Series> judged = new ArrayList<>(ofTask(run, judge));
        List<Chart> others = new ArrayList<>();
        Set<Figure> all = new LinkedHashSet<>(figures.evaluation());
        all.addAll(figures.training());
        all.removeAll(List.of(judge, Figure.loss()));
        for (Figure figure : all) {
            if (figure.unit() == judge.unit() && figure.label().endsWith(" " + judge.label())) {
                String kind = figure.label().substring(0, figure.label().lastIndexOf(" " + judge.label()));
                String label = "Test, " + kind.replace('-', ' ');
                Chart.Series series = ofTests(run, label, Style.of(judged.size() + 1), tested(figure));
                if (series.points().stream().anyMatch(point -> point.mean() > 0)) {
                    judged.add(series);
                }
            } else {
                others.add(ofFigure(NumberText.heading(figure), figure, ofTask(run, figure)));
            }
        }
        others.add(0, ofFigure(NumberText.heading(judge), judge, judged));
        return others;
    }

    private static List<Chart.Series> ofTask(RunSnapshot run, Figure figure) {
        List<Chart.Series> series = new ArrayList<>();
        if (run.facts().figures().training().contains(figure)) {
            series.add(ofSteps(run, "Training", Style.of(1), trained(figure)));
        }
        if (run.facts().figures().evaluation().contains(figure)) {
            series.add(ofTests(run, "Test", Style.of(2), tested(figure)));
        }
        return series;
    }

    private static List<Chart> ofSeveral(List<RunSnapshot> runs) {
        List<Figures> tasks =
                runs.stream().map(run -> run.facts().figures()).distinct().toList();
        List<Chart> charts = new ArrayList<>();
        tasks.stream()
                .map(Figures::judge)
                .distinct()
                .forEach(judge ->
                        charts.add(ofFigure(NumberText.heading("Test", judge), judge, ofTests(runs, tested(judge)))));
        tasks.stream()
                .flatMap(task -> task.training().stream())
                .distinct()
                .forEach(figure -> charts.add(
                        ofFigure(NumberText.heading("Training", figure), figure, ofSteps(runs, trained(figure)))));
        charts.addAll(List.of(
                wide("Test loss", ofTests(runs, test -> test.figure(Figure.loss()))),
                wide("Training loss", ofSteps(runs, StepMetrics::loss)),
                wide("Gradient norm ‖g₁‖", ofSteps(runs, StepMetrics::referenceNorm)),
                narrow("Parameter norm", ofSteps(runs, StepMetrics::parameterNorm)),
                narrow("Learning rate", ofSteps(runs, StepMetrics::learningRate)),
                settings("Share α", ofSteps(runs, step -> step.figure(StepGradient.ALPHA)))));
        Set<String> others = new TreeSet<>();
        runs.forEach(run -> others.addAll(run.schemeFigures()));
        others.removeAll(OF_THE_PENALTY);
        others.forEach(name -> charts.add(narrow(inWords(name), ofSteps(runs, step -> step.figure(name)))));
        Set<String> probes = new TreeSet<>();
        runs.forEach(run -> probes.addAll(run.probes()));
        probes.forEach(name -> charts.add(wide(
                inWords(name),
                IntStream.range(0, runs.size())
                        .mapToObj(i -> ofProbes(runs.get(i), runs.get(i).name(), Style.withoutBaseline(i), name))
                        .toList())));
        return charts;
    }

    private static ToDoubleFunction<StepMetrics> trained(Figure figure) {
        return step -> NumberText.shown(figure, step.figure(figure.name()));
    }

    private static ToDoubleFunction<Evaluation> tested(Figure figure) {
        return test -> NumberText.shown(figure, test.figure(figure));
    }

    /** {@code Condition number} of {@code conditionNumber}. */
    private static String inWords(String name) {
        return NumberText.upperFirst(name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT));
    }

    private static Chart ofFigure(String title, Figure figure, List<Chart.Series> series) {
        return Chart.course(
                title, Chart.Scale.LINEAR, series, shown -> NumberText.fixed(shown, NumberText.decimals(figure)));
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

    private static Chart.Series ofProbes(RunSnapshot run, String label, Style style, String name) {
        List<Measurement> measurements = run.history().epochs().stream()
                .map(RunRecord.Epoch::metrics)
                .filter(epoch -> epoch.probes().containsKey(name))
                .map(epoch -> new Measurement(epoch.epoch(), epoch.probes().get(name)))
                .toList();
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
