package io.polder.study.page;

import static io.polder.study.page.PagePen.coordinate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A chart as an HTML figure around an inline SVG. The legend gives the last values; {@code report.js} puts those under the pointer in
 * their place.
 */
public final class ChartHtml {
    /** Of a series: more than a screen can show apart. */
    public static final int MOST_POINTS = 160;

    // In units of the viewBox, which are about CSS pixels on a phone: 13px type stays legible there.
    private static final int WIDTH = 420;
    private static final int HEIGHT = 280;
    private static final int LEFT = 46;
    private static final int TOP = 34;
    private static final int RIGHT = WIDTH - 10;
    private static final int BOTTOM = HEIGHT - 44;

    private final Chart chart;
    private final PagePen pen = new PagePen();

    private ChartHtml(Chart chart) {
        this.chart = chart;
    }

    /** All of them, in the grid of {@code report.css}. */
    public static String of(List<Chart> charts) {
        return charts.stream()
                .map(ChartHtml::of)
                .collect(Collectors.joining("", "<div class=\"charts\">\n", "</div>\n"));
    }

    public static String of(Chart chart) {
        var html = new ChartHtml(thinned(chart));
        return chart.points().isEmpty() ? html.ofNothing() : html.ofSomething();
    }

    /** Every nth point of long series, and the last. */
    private static Chart thinned(Chart chart) {
        int longest = chart.series().stream()
                .mapToInt(each -> each.points().size())
                .max()
                .orElse(0);
        int stride = (longest + MOST_POINTS - 1) / MOST_POINTS;
        return chart.with(chart.series().stream()
                .map(each -> new Chart.Series(
                        each.label(),
                        each.style(),
                        IntStream.range(0, each.points().size())
                                .filter(i ->
                                        i % stride == 0 || i == each.points().size() - 1)
                                .mapToObj(each.points()::get)
                                .toList()))
                .toList());
    }

    private String ofNothing() {
        pen.text(Pen.Anchor.MIDDLE, WIDTH / 2.0, HEIGHT / 2.0, "Nothing was recorded");
        return figure(": nothing was recorded", "", "", series -> "");
    }

    private String ofSomething() {
        var frame = new ChartFrame(chart.across(), chart.up(), LEFT, TOP, RIGHT, BOTTOM);
        frame.draw(chart, pen);
        String by = ", by " + chart.x().toLowerCase(Locale.ROOT) + ". ";
        String values = chart.series().stream()
                .map(series -> series.label() + " " + lastValue(series))
                .collect(Collectors.joining(", "));
        if (chart.kind() == Chart.Kind.POINTS) {
            return figure(by + values, "", "", series -> "");
        }
        pen.rule("rule", LEFT, TOP, LEFT, BOTTOM);
        var last = BigDecimal.valueOf(chart.last()).setScale(chart.decimals(), RoundingMode.HALF_UP);
        String at = chart.x() + " " + Axis.label(last);
        String scale = " data-across=\"%s\" data-range=\"%s %s\" data-decimals=\"%d\" data-x=\"%d %d\""
                .formatted(
                        Html.escape(chart.x()),
                        frame.across().low(),
                        frame.across().high(),
                        chart.decimals(),
                        LEFT,
                        RIGHT);
        return figure(by + "At " + at.toLowerCase(Locale.ROOT) + ": " + values, scale, at, series -> {
            List<Chart.Point> points = readOff(series);
            return " data-x=\"%s\" data-values=\"%s\""
                    .formatted(
                            spaced(points, point -> coordinate(frame.x(point.x()))),
                            spaced(points, point -> chart.valueText().apply(point.mean())));
        });
    }

    /** Steps and tests of a run never meet, so each has its nearest value; elsewhere there is a value at a place, or none. */
    private List<Chart.Point> readOff(Chart.Series series) {
        if (chart.kind() == Chart.Kind.COURSE && chart.decimals() > 0) {
            return series.points();
        }
        return chart.points().stream()
                .mapToDouble(Chart.Point::x)
                .distinct()
                .sorted()
                .mapToObj(x -> Chart.Point.of(
                        x,
                        series.points().stream()
                                .filter(point -> point.x() == x)
                                .limit(1)
                                .mapToDouble(Chart.Point::mean)))
                .toList();
    }

    /** @param values attributes of a series in the legend */
    private String figure(String words, String scale, String at, Function<Chart.Series, String> values) {
        return """
                <figure class="chart"%s>
                <svg viewBox="0 0 %d %d" role="img" aria-label="%s"%s>
                <text class="title" x="0" y="14">%s</text>
                %s</svg>
                <figcaption><span class="at">%s</span>
                <ul class="legend">
                %s</ul></figcaption>
                </figure>
                """.formatted(
                        chart.name().isEmpty() ? "" : " id=\"" + Html.escape(chart.name()) + "\"",
                        WIDTH,
                        HEIGHT,
                        Html.escape(chart.title() + words),
                        scale,
                        Html.escape(chart.title()),
                        pen.svg(),
                        Html.escape(at),
                        chart.series().stream()
                                .map(series -> "<li class=\"%s\"%s>%s%s</li>\n"
                                        .formatted(
                                                series.style().css(),
                                                values.apply(series),
                                                Html.escape(series.label()),
                                                // Of points that are not joined, none is the last.
                                                chart.kind() == Chart.Kind.POINTS
                                                        ? ""
                                                        : " <span class=\"value\">" + lastValue(series) + "</span>"))
                                .collect(Collectors.joining()));
    }

    private String lastValue(Chart.Series series) {
        List<Chart.Point> points = series.points();
        return chart.valueText()
                .apply(
                        points.isEmpty()
                                ? Double.NaN
                                : points.get(points.size() - 1).mean());
    }

    /** As attributes hold lists. */
    private static <T> String spaced(List<T> items, Function<T, String> text) {
        return items.stream().map(text).collect(Collectors.joining(" "));
    }
}
