package io.polder.study.page;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A chart before it is drawn: on a page by {@link ChartHtml}, as files by {@link ChartFiles}.
 *
 * @param name of its files, and its id on a page; empty if it has neither
 * @param x what the horizontal axis measures, with its unit
 * @param valueText says a value; NaN too, which is none
 */
public record Chart(
        String name,
        String title,
        String x,
        String y,
        Kind kind,
        Scale scale,
        List<Series> series,
        DoubleFunction<String> valueText) {
    public enum Kind {
        /** Lines over epochs, in bands from low to high. */
        COURSE,
        /** Points over any quantity, with bars from low to high, joined by lines. */
        LINES,
        /** Points with bars, and a line along those that none is left of and below: the less of both quantities, the better. */
        LOW_FRONTIER,
        /** The same where more of the upright quantity is better. */
        HIGH_FRONTIER,
        /** Lines of a height each, over two quantities; what is drawn as a mean is the second of them. A point alone is a place. */
        CONTOURS;

        boolean isOfPoints() {
            return this == LOW_FRONTIER || this == HIGH_FRONTIER;
        }
    }

    public enum Scale {
        LINEAR,
        /** For quantities whose nothing is a choice: it shows how far away from it they are. */
        FROM_ZERO,
        /** Where the highest value is more than 20 times the lowest, and that is above zero. */
        LOGARITHMIC_IF_WIDE
    }

    public Chart {
        series = List.copyOf(series);
    }

    /** A chart over epochs for a page, whose title says what is measured. */
    public static Chart course(String title, Scale scale, List<Series> series, DoubleFunction<String> valueText) {
        return new Chart("", title, "Epoch", title, Kind.COURSE, scale, series, valueText);
    }

    /** Every nth point where series are longer than that, and the last. */
    Chart thinned(int most) {
        if (kind == Kind.CONTOURS) {
            return this; // they are made of short pieces
        }
        int longest =
                series.stream().mapToInt(each -> each.points().size()).max().orElse(0);
        int n = (longest + most - 1) / most;
        List<Series> thin = series.stream().map(each -> each.every(n)).toList();
        return new Chart(name, title, x, y, kind, scale, thin, valueText);
    }

    public record Series(String label, Style style, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }

        private Series every(int n) {
            int last = points.size() - 1;
            var kept = IntStream.rangeClosed(0, last).filter(i -> i % n == 0 || i == last);
            return new Series(label, style, kept.mapToObj(points::get).toList());
        }

        /** NaN where it has no point. */
        double meanAt(double x) {
            var there = points.stream().filter(point -> point.x() == x);
            return there.mapToDouble(Point::mean).findFirst().orElse(Double.NaN);
        }

        /** What lies between gaps. */
        List<List<Point>> stretches() {
            List<List<Point>> stretches = new ArrayList<>();
            boolean gap = true;
            for (Point point : points) {
                if (gap && point.isKnown()) {
                    stretches.add(new ArrayList<>());
                }
                gap = !point.isKnown();
                if (!gap) {
                    stretches.get(stretches.size() - 1).add(point);
                }
            }
            return stretches;
        }
    }

    /** A mean, and the range around it; all NaN where nothing is known: a gap. */
    public record Point(double x, double low, double mean, double high) {
        /** A single measurement. NaN: a gap. */
        public static Point at(double x, double value) {
            return new Point(x, value, value, value);
        }

        /** What several measurements at one place came to, of those whose value is finite. */
        public static Point of(double x, DoubleStream values) {
            var finite = values.filter(Double::isFinite).summaryStatistics();
            return finite.getCount() == 0
                    ? at(x, Double.NaN)
                    : new Point(x, finite.getMin(), finite.getAverage(), finite.getMax());
        }

        boolean isKnown() {
            return Double.isFinite(mean);
        }
    }

    /** Without gaps. */
    public List<Point> points() {
        return places().filter(Point::isKnown).toList();
    }

    private Stream<Point> places() {
        return series.stream().flatMap(each -> each.points().stream());
    }

    /** Where its series end, gaps included. */
    double last() {
        return places().mapToDouble(Point::x).max().orElseThrow();
    }

    Axis across() {
        double first = places().mapToDouble(Point::x).min().orElseThrow();
        return switch (kind) {
            // The first step of a run is a little after its beginning, which is where the axis should begin.
            case COURSE -> Axis.epochs(decimals() == 0 ? first : Math.floor(first), last());
            case LINES, LOW_FRONTIER, HIGH_FRONTIER, CONTOURS -> Axis.linear(first, last());
        };
    }

    Axis up() {
        List<Point> near = points().stream().filter(far().negate()).toList();
        double lowest = near.stream().mapToDouble(Point::low).min().orElseThrow();
        double high = near.stream().mapToDouble(Point::high).max().orElseThrow();
        double low = scale == Scale.FROM_ZERO ? Math.min(0, lowest) : lowest;
        return scale == Scale.LOGARITHMIC_IF_WIDE && low > 0 && high / low > 20
                ? Axis.logarithmic(low, high)
                : Axis.linear(low, high);
    }

    /** From left to right, each better than all before it. */
    List<Point> frontier() {
        List<Point> frontier = new ArrayList<>();
        double best = Double.POSITIVE_INFINITY;
        for (Point point : points().stream()
                .sorted(Comparator.comparingDouble(Point::x).thenComparing(this::badness))
                .toList()) {
            if (badness(point) < best) {
                best = badness(point);
                frontier.add(point);
            }
        }
        return frontier;
    }

    /**
     * Which points are so much worse than the others that they would be crowded if the axis reached as far: these stand at the axis's end. The first
     * series, with which the others are compared, never does.
     */
    Predicate<Point> far() {
        if (!kind.isOfPoints() || points().isEmpty()) {
            return point -> false;
        }
        double[] all = points().stream().mapToDouble(this::badness).sorted().toArray();
        double median = (all[(all.length - 1) / 2] + all[all.length / 2]) / 2;
        double baseline = series.get(0).points().stream()
                .filter(Point::isKnown)
                .mapToDouble(this::badness)
                .max()
                .orElse(median);
        double limit = Math.max(baseline, median + 3 * (median - all[0]));
        return point -> badness(point) > limit;
    }

    private double badness(Point point) {
        return kind == Kind.HIGH_FRONTIER ? -point.mean() : point.mean();
    }

    /** Where colours would come a second time, dots have numbers. */
    boolean isNumbered() {
        return kind.isOfPoints() && series.size() > Style.COLOURS;
    }

    /** As the legend has it. */
    String label(Series one) {
        return (isNumbered() ? series.indexOf(one) + 1 + "  " : "") + one.label();
    }

    /** How many tell its places apart; of epochs, one is enough. */
    int decimals() {
        int most = kind == Kind.COURSE ? 1 : 3;
        return points().stream()
                .mapToInt(point ->
                        BigDecimal.valueOf(point.x()).stripTrailingZeros().scale())
                .map(scale -> Math.max(0, Math.min(most, scale)))
                .max()
                .orElse(0);
    }
}
