package io.polder.study;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * The course of a quantity over epochs.
 *
 * @param style its colour: a class of {@code report.css}
 */
record Curve(String label, String style, List<Point> points) {

    /**
     * What several measurements at one place came to, of those whose value is finite; NaN where there is none.
     *
     * @param epoch of a step, the epochs up to it and a fraction
     */
    record Point(double epoch, double low, double mean, double high) {
        static Point of(double epoch, DoubleStream values) {
            var finite = values.filter(Double::isFinite).summaryStatistics();
            return finite.getCount() == 0
                    ? new Point(epoch, Double.NaN, Double.NaN, Double.NaN)
                    : new Point(epoch, finite.getMin(), finite.getAverage(), finite.getMax());
        }

        boolean isKnown() {
            return Double.isFinite(mean);
        }
    }

    /** A curve for each method, all with a point at each epoch at which any trial has the quantity. */
    static List<Curve> allOf(Comparison comparison, ToDoubleFunction<EpochRecord> quantity) {
        List<Integer> epochs = comparison.trials().stream()
                .flatMap(trial -> trial.epochs().stream())
                .filter(record -> Double.isFinite(quantity.applyAsDouble(record)))
                .map(EpochRecord::epoch)
                .distinct()
                .sorted()
                .toList();
        List<Curve> curves = new ArrayList<>();
        for (Method method : comparison.methods()) {
            List<EpochRecord> records = comparison.trialsOf(method).stream()
                    .flatMap(trial -> trial.epochs().stream())
                    .toList();
            List<Point> points = new ArrayList<>();
            for (int epoch : epochs) {
                points.add(Point.of(
                        epoch, records.stream().filter(r -> r.epoch() == epoch).mapToDouble(quantity)));
            }
            curves.add(new Curve(method.label(), LineChart.style(curves.size()), points));
        }
        return curves;
    }

    /** The stretches between gaps. */
    List<List<Point>> runs() {
        List<List<Point>> runs = new ArrayList<>();
        boolean gap = true;
        for (Point point : points) {
            if (gap && point.isKnown()) {
                runs.add(new ArrayList<>());
            }
            gap = !point.isKnown();
            if (!gap) {
                runs.get(runs.size() - 1).add(point);
            }
        }
        return runs;
    }
}
