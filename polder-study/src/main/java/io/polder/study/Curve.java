package io.polder.study;

import java.util.ArrayList;
import java.util.List;
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
