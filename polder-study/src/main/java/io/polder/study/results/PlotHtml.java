package io.polder.study.results;

import io.polder.study.Axis;
import io.polder.study.Html;
import io.polder.study.NumberText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A figure as part of a page: an inline SVG whose colours and type come from the page's style, so that it follows a dark screen. The
 * legend gives the last values; the page's script puts those under the pointer in their place.
 */
final class PlotHtml {
    // In units of the viewBox, which are about CSS pixels on a phone.
    private static final int WIDTH = 420;
    private static final int HEIGHT = 280;
    private static final int LEFT = 46;
    private static final int RIGHT = WIDTH - 10;
    private static final int TOP = 34;
    private static final int BOTTOM = HEIGHT - 44;
    /** More than a screen can show apart. */
    private static final int MOST_POINTS = 160;

    private final Plot plot;
    private final Axis across;
    private final Axis up;
    private final List<Double> xs;

    private PlotHtml(Plot plot) {
        this.plot = thinned(plot);
        up = PlotFiles.up(plot);
        xs = this.plot.points().stream().map(Plot.Point::x).distinct().sorted().toList();
        double first = xs.get(0);
        double last = xs.get(xs.size() - 1);
        across = plot.band()
                ? Axis.epochs((int) first, (int) last)
                : Axis.linear(plot.x().startsWith("Time") ? 0 : first, last);
    }

    /** @param plot with at least one point */
    static String of(Plot plot) {
        return new PlotHtml(plot).html();
    }

    /** Every nth epoch of a long training, and the last. */
    private static Plot thinned(Plot plot) {
        List<Plot.Series> series = plot.series().stream()
                .map(each -> {
                    int size = each.points().size();
                    int stride = (size + MOST_POINTS - 1) / MOST_POINTS;
                    List<Plot.Point> points = new ArrayList<>();
                    for (int i = 0; i < size; i++) {
                        if (i % Math.max(1, stride) == 0 || i == size - 1) {
                            points.add(each.points().get(i));
                        }
                    }
                    return new Plot.Series(each.label(), each.connected(), points);
                })
                .toList();
        return new Plot(plot.name(), plot.title(), plot.x(), plot.y(), plot.band(), series);
    }

    private String html() {
        boolean readable = plot.series().stream().allMatch(Plot.Series::connected);
        return """
                <figure class="chart" id="%s">
                <svg viewBox="0 0 %d %d" role="img" aria-label="%s"%s>
                <text class="title" x="0" y="14">%s</text>
                %s</svg>
                <figcaption><span class="at">%s</span>
                <ul class="legend">
                %s</ul></figcaption>
                </figure>
                """.formatted(
                        Html.escape(plot.name()),
                        WIDTH,
                        HEIGHT,
                        Html.escape(inWords()),
                        readable
                                ? " data-at=\"%s\" data-x=\"%s\""
                                        .formatted(spaced(xs, NumberText::plain), spaced(xs, x -> coordinate(x(x))))
                                : "",
                        Html.escape(plot.title()),
                        drawing(),
                        readable
                                ? "<span class=\"what\">" + Html.escape(plot.x()) + "</span> <span class=\"where\">"
                                        + NumberText.plain(xs.get(xs.size() - 1)) + "</span>"
                                : "",
                        legend(readable));
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
        svg.append(label("middle", (LEFT + RIGHT) / 2.0, HEIGHT - 4, Html.escape(plot.x())));
        svg.append(line("rule", LEFT, TOP, LEFT, BOTTOM));
        for (int i = 0; plot.band() && i < plot.series().size(); i++) {
            svg.append(band(plot.series().get(i).points(), style(i)));
        }
        for (int i = 0; i < plot.series().size(); i++) {
            svg.append(series(plot.series().get(i), style(i)));
        }
        return svg.toString();
    }

    private String band(List<Plot.Point> points, String style) {
        if (points.size() < 2) {
            return "";
        }
        List<Plot.Point> back = new ArrayList<>(points);
        Collections.reverse(back);
        return "<polygon class=\"band %s\" points=\"%s %s\"/>\n"
                .formatted(style, path(points, Plot.Point::high), path(back, Plot.Point::low));
    }

    private String series(Plot.Series series, String style) {
        StringBuilder svg = new StringBuilder();
        if (series.connected() && series.points().size() > 1) {
            svg.append("<polyline class=\"line %s%s\" points=\"%s\"/>\n"
                    .formatted(style, plot.band() ? "" : " solid", path(series.points(), Plot.Point::mean)));
        }
        if (!plot.band() || series.points().size() == 1) {
            for (Plot.Point point : series.points()) {
                svg.append(line("bar " + style, x(point.x()), y(point.low()), x(point.x()), y(point.high())));
                svg.append("<circle class=\"dot %s\" cx=\"%s\" cy=\"%s\" r=\"3.5\"/>\n"
                        .formatted(style, coordinate(x(point.x())), coordinate(y(point.mean()))));
            }
        }
        return svg.toString();
    }

    private String path(List<Plot.Point> points, ToDoubleFunction<Plot.Point> value) {
        return spaced(points, p -> coordinate(x(p.x())) + "," + coordinate(y(value.applyAsDouble(p))));
    }

    private String legend(boolean readable) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < plot.series().size(); i++) {
            Plot.Series series = plot.series().get(i);
            String last = series.points().isEmpty()
                    ? NumberText.UNKNOWN
                    : value(series.points().get(series.points().size() - 1).mean());
            items.append("<li class=\"%s%s\"%s>%s%s</li>\n"
                    .formatted(
                            style(i),
                            plot.band() ? "" : " solid",
                            readable ? " data-values=\"" + spaced(xs, x -> valueAt(series, x)) + "\"" : "",
                            Html.escape(series.label()),
                            readable ? " <span class=\"value\">" + last + "</span>" : ""));
        }
        return items.toString();
    }

    private String valueAt(Plot.Series series, double x) {
        return series.points().stream()
                .filter(point -> point.x() == x)
                .map(point -> value(point.mean()))
                .findFirst()
                .orElse(NumberText.UNKNOWN);
    }

    private String value(double value) {
        return plot.y().endsWith("%") ? NumberText.fixed(value, 2) : NumberText.significant(value);
    }

    private String inWords() {
        return plot.title() + ", by " + plot.x() + ". At its end: "
                + plot.series().stream()
                        .filter(series -> !series.points().isEmpty())
                        .map(series -> series.label() + " "
                                + value(series.points()
                                        .get(series.points().size() - 1)
                                        .mean()))
                        .collect(Collectors.joining(", "));
    }

    private double x(double value) {
        return LEFT + across.at(value) * (RIGHT - LEFT);
    }

    private double y(double value) {
        return BOTTOM - up.at(value) * (BOTTOM - TOP);
    }

    private static String style(int series) {
        return "c" + series % Plot.COLOURS + (series < Plot.COLOURS ? "" : " again");
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
