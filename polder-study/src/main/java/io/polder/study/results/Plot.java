package io.polder.study.results;

import java.util.List;

/**
 * A figure before it is drawn.
 *
 * @param name of its files
 * @param x what the horizontal axis measures, with its unit
 * @param band whether the range of a series is drawn as a band rather than as bars
 */
record Plot(String name, String title, String x, String y, boolean band, List<Series> series) {
    /** How many series can be told apart, by eight colours and two kinds of line; the paper's set B has ten. */
    static final int MOST_SERIES = 12;

    static final int COLOURS = 8;

    Plot {
        series = List.copyOf(series);
    }

    /** @param connected whether its points are joined by a line */
    record Series(String label, boolean connected, List<Point> points) {
        Series {
            points = List.copyOf(points);
        }
    }

    /** A mean, and the range around it; NaN ends where it is not known. */
    record Point(double x, double low, double mean, double high) {
        static Point of(double x, Spread values, double scale) {
            double margin = Double.isNaN(values.deviation()) ? 0 : values.deviation();
            return new Point(
                    x, scale * (values.mean() - margin), scale * values.mean(), scale * (values.mean() + margin));
        }
    }

    /** Logarithmic where the highest mean is more than 20 times the lowest, and nothing is below or at zero. */
    boolean isLogarithmic() {
        return low() > 0 && high() / low() > 20;
    }

    double low() {
        return points().stream().mapToDouble(Point::low).min().orElse(0);
    }

    double high() {
        return points().stream().mapToDouble(Point::high).max().orElse(1);
    }

    List<Point> points() {
        return series.stream().flatMap(each -> each.points().stream()).toList();
    }
}
