package io.polder.study.page;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
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
        /** Points with bars, on an axis from zero. */
        POINTS,
        /** Lines of a height each, over two quantities; what is drawn as a mean is the second of them. A point alone is a place. */
        CONTOURS
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
        /** What several measurements at one place came to, of those whose value is finite. */
        public static Point of(double x, DoubleStream values) {
            var finite = values.filter(Double::isFinite).summaryStatistics();
            return finite.getCount() == 0
                    ? new Point(x, Double.NaN, Double.NaN, Double.NaN)
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
            case LINES, CONTOURS -> Axis.linear(first, last());
            case POINTS -> Axis.linear(0, last());
        };
    }

    Axis up() {
        double lowest = points().stream().mapToDouble(Point::low).min().orElseThrow();
        double high = points().stream().mapToDouble(Point::high).max().orElseThrow();
        double low = scale == Scale.FROM_ZERO ? Math.min(0, lowest) : lowest;
        return scale == Scale.LOGARITHMIC_IF_WIDE && low > 0 && high / low > 20
                ? Axis.logarithmic(low, high)
                : Axis.linear(low, high);
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
