package io.polder.study;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Curves as an HTML figure around an inline SVG: each a line of means in a band from the lowest value to the highest, with gaps
 * where values are not finite. Colours and type come from {@code report.css}. The legend gives the values at
 * the last epoch; {@code report.js} puts those under the pointer in their place.
 */
final class LineChart {
    // In units of the viewBox, which are about CSS pixels on a phone: 13px type stays legible there.
    private static final int WIDTH = 420;
    private static final int HEIGHT = 280;
    private static final int LEFT = 46;
    private static final int RIGHT = WIDTH - 10;
    private static final int TOP = 34;
    private static final int BOTTOM = HEIGHT - 44;

    private final String title;
    private final List<Curve> curves;
    private final DoubleFunction<String> valueText;
    private final List<Curve.Point> known;
    private final Axis across;
    private final Axis up;
    private final int epochDecimals;

    private LineChart(
            String title,
            List<Curve> curves,
            double logarithmicBeyond,
            boolean fromZero,
            DoubleFunction<String> valueText) {
        this.title = title;
        this.curves = curves;
        this.valueText = valueText;
        known = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .filter(Curve.Point::isKnown)
                .toList();
        double lowest = known.stream().mapToDouble(Curve.Point::low).min().orElse(0);
        double low = fromZero ? Math.min(0, lowest) : lowest;
        double high = known.stream().mapToDouble(Curve.Point::high).max().orElse(0);
        up = low > 0 && high / low > logarithmicBeyond ? Axis.logarithmic(low, high) : Axis.linear(low, high);
        var epochs = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(Curve.Point::epoch)
                .summaryStatistics();
        boolean whole = known.stream().allMatch(point -> Axis.isWhole(point.epoch()));
        epochDecimals = whole ? 0 : 1;
        // The first step of a run is a little after its beginning, which is where the axis should begin.
        across = epochs.getCount() == 0
                ? Axis.epochs(0, 0)
                : Axis.epochs(whole ? epochs.getMin() : Math.floor(epochs.getMin()), epochs.getMax());
    }

    static LineChart linear(String title, List<Curve> curves, DoubleFunction<String> valueText) {
        return new LineChart(title, curves, Double.POSITIVE_INFINITY, false, valueText);
    }

    /** For quantities whose nothing is a choice: it shows how far away from it they are. */
    static LineChart fromZero(String title, List<Curve> curves, DoubleFunction<String> valueText) {
        return new LineChart(title, curves, Double.POSITIVE_INFINITY, true, valueText);
    }

    /** Logarithmic where the highest value is more than 20 times the lowest, and that is above zero. */
    static LineChart logarithmicIfWide(String title, List<Curve> curves, DoubleFunction<String> valueText) {
        return new LineChart(title, curves, 20, false, valueText);
    }

    String html() {
        return """
                <figure class="chart">
                <svg viewBox="0 0 %d %d" role="img" aria-label="%s" data-epochs="%s %s" data-decimals="%d" data-x="%d %d">
                <text class="title" x="0" y="14">%s</text>
                %s</svg>
                <figcaption><span class="at">%s</span>
                <ul class="legend">
                %s</ul></figcaption>
                </figure>
                """.formatted(
                WIDTH,
                HEIGHT,
                Html.escape(inWords()),
                across.low(),
                across.high(),
                epochDecimals,
                LEFT,
                RIGHT,
                Html.escape(title),
                known.isEmpty() ? label("middle", WIDTH / 2.0, HEIGHT / 2.0, "Nothing was recorded") : drawing(),
                known.isEmpty() ? "" : "Epoch " + lastEpoch(),
                legend());
    }

    private String drawing() {
        StringBuilder svg = new StringBuilder();
        for (BigDecimal tick : up.ticks()) {
            double y = y(tick.doubleValue());
            svg.append(line("grid", LEFT, y, RIGHT, y)).append(label("end", LEFT - 8, y + 4.5, Axis.label(tick)));
        }
        for (BigDecimal tick : across.ticks()) {
            double x = x(tick.doubleValue());
            svg.append(line("tick", x, BOTTOM, x, BOTTOM + 5))
                    .append(label("middle", x, BOTTOM + 19, Axis.label(tick)));
        }
        svg.append(line("axis", LEFT, BOTTOM, RIGHT, BOTTOM));
        svg.append(label("middle", (LEFT + RIGHT) / 2.0, HEIGHT - 4, "Epoch"));
        svg.append(line("rule", LEFT, TOP, LEFT, BOTTOM));
        // Every band before every line, so that no band veils a line.
        for (Curve curve : curves) {
            for (List<Curve.Point> run : curve.runs()) {
                svg.append(band(run, curve.style()));
            }
        }
        for (Curve curve : curves) {
            for (List<Curve.Point> run : curve.runs()) {
                svg.append(mean(run, curve.style()));
            }
        }
        return svg.toString();
    }

    /** Where every point is a single value there is no band. */
    private String band(List<Curve.Point> run, String style) {
        if (run.stream().noneMatch(point -> point.low() < point.high())) {
            return "";
        }
        List<Curve.Point> back = new ArrayList<>(run);
        Collections.reverse(back);
        return "<polygon class=\"band %s\" points=\"%s %s\"/>\n"
                .formatted(style, path(run, Curve.Point::high), path(back, Curve.Point::low));
    }

    /** A lone point has no length to draw, so it is a dot. */
    private String mean(List<Curve.Point> run, String style) {
        Curve.Point first = run.get(0);
        return run.size() == 1
                ? "<circle class=\"dot %s\" cx=\"%s\" cy=\"%s\" r=\"3.5\"/>\n"
                        .formatted(style, coordinate(x(first.epoch())), coordinate(y(first.mean())))
                : "<polyline class=\"line %s\" points=\"%s\"/>\n".formatted(style, path(run, Curve.Point::mean));
    }

    private String path(List<Curve.Point> points, ToDoubleFunction<Curve.Point> value) {
        return spaced(points, p -> coordinate(x(p.epoch())) + "," + coordinate(y(value.applyAsDouble(p))));
    }

    private String legend() {
        StringBuilder items = new StringBuilder();
        for (Curve curve : curves) {
            items.append("<li class=\"%s\" data-x=\"%s\" data-values=\"%s\">%s <span class=\"value\">%s</span></li>\n"
                    .formatted(
                            curve.style(),
                            spaced(curve.points(), point -> coordinate(x(point.epoch()))),
                            spaced(curve.points(), point -> valueText.apply(point.mean())),
                            Html.escape(curve.label()),
                            lastValue(curve)));
        }
        return items.toString();
    }

    private String inWords() {
        return known.isEmpty()
                ? title + ": nothing was recorded"
                : title + ", by epoch. At epoch " + lastEpoch() + ": "
                        + curves.stream()
                                .map(curve -> curve.label() + " " + lastValue(curve))
                                .collect(Collectors.joining(", "));
    }

    private String lastValue(Curve curve) {
        List<Curve.Point> points = curve.points();
        return points.isEmpty()
                ? NumberText.UNKNOWN
                : valueText.apply(points.get(points.size() - 1).mean());
    }

    private String lastEpoch() {
        double last = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(Curve.Point::epoch)
                .max()
                .orElseThrow();
        return NumberText.fixed(last, epochDecimals);
    }

    private double x(double epoch) {
        return LEFT + across.at(epoch) * (RIGHT - LEFT);
    }

    private double y(double value) {
        return BOTTOM - up.at(value) * (BOTTOM - TOP);
    }

    /** {@code report.css} has five colours; a sixth curve begins again. */
    static String style(int curve) {
        return "c" + curve % 5;
    }

    private static String line(String style, double x1, double y1, double x2, double y2) {
        return "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
                .formatted(style, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
    }

    private static String label(String anchor, double x, double y, String text) {
        return "<text text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n"
                .formatted(anchor, coordinate(x), coordinate(y), text);
    }

    private static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static <T> String spaced(List<T> items, Function<T, String> text) {
        return items.stream().map(text).collect(Collectors.joining(" "));
    }
}
