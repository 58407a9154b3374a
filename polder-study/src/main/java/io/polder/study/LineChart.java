package io.polder.study;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * Curves as an HTML figure around an inline SVG: each a line of means in a band from the lowest value to the highest, with gaps
 * where values are not finite. Colours and type come from {@code report.css}. The legend gives the values at
 * the last epoch; {@code report.js} puts those under the pointer in their place.
 */
final class LineChart {
    private final String title;
    private final List<Curve> curves;
    private final DoubleFunction<String> valueText;
    private final List<Curve.Point> known;
    private final ChartFrame frame;
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
        Axis up = low > 0 && high / low > logarithmicBeyond ? Axis.logarithmic(low, high) : Axis.linear(low, high);
        var epochs = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(Curve.Point::epoch)
                .summaryStatistics();
        boolean whole = known.stream().allMatch(point -> Axis.isWhole(point.epoch()));
        epochDecimals = whole ? 0 : 1;
        // The first step of a run is a little after its beginning, which is where the axis should begin.
        Axis across = epochs.getCount() == 0
                ? Axis.epochs(0, 0)
                : Axis.epochs(whole ? epochs.getMin() : Math.floor(epochs.getMin()), epochs.getMax());
        frame = new ChartFrame(across, up);
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
                ChartFrame.WIDTH,
                ChartFrame.HEIGHT,
                Html.escape(inWords()),
                frame.across().low(),
                frame.across().high(),
                epochDecimals,
                ChartFrame.LEFT,
                ChartFrame.RIGHT,
                Html.escape(title),
                known.isEmpty()
                        ? ChartFrame.label(
                                "middle", ChartFrame.WIDTH / 2.0, ChartFrame.HEIGHT / 2.0, "Nothing was recorded")
                        : drawing(),
                known.isEmpty() ? "" : "Epoch " + lastEpoch(),
                legend());
    }

    private String drawing() {
        StringBuilder svg = new StringBuilder(frame.axes("Epoch"));
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
        return run.stream().noneMatch(point -> point.low() < point.high())
                ? ""
                : frame.band(style, run, Curve.Point::epoch, Curve.Point::low, Curve.Point::high);
    }

    /** A lone point has no length to draw, so it is a dot. */
    private String mean(List<Curve.Point> run, String style) {
        Curve.Point first = run.get(0);
        return run.size() == 1
                ? frame.dot(style, first.epoch(), first.mean())
                : frame.polyline(style, run, Curve.Point::epoch, Curve.Point::mean);
    }

    private String legend() {
        StringBuilder items = new StringBuilder();
        for (Curve curve : curves) {
            items.append("<li class=\"%s\" data-x=\"%s\" data-values=\"%s\">%s <span class=\"value\">%s</span></li>\n"
                    .formatted(
                            curve.style(),
                            ChartFrame.spaced(curve.points(), point -> ChartFrame.coordinate(frame.x(point.epoch()))),
                            ChartFrame.spaced(curve.points(), point -> valueText.apply(point.mean())),
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

    /** {@code report.css} has five colours; a sixth curve begins again. */
    static String style(int curve) {
        return "c" + curve % 5;
    }
}
