package io.polder.study.results;

import static io.polder.study.ChartFrame.coordinate;
import static io.polder.study.ChartFrame.spaced;

import io.polder.study.Axis;
import io.polder.study.ChartFrame;
import io.polder.study.Html;
import io.polder.study.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A figure as part of a page: an inline SVG whose colours and type come from the page's style, so that it follows a dark screen. The
 * legend gives the last values; the page's script puts those under the pointer in their place.
 */
final class PlotHtml {
    /** More than a screen can show apart. */
    private static final int MOST_POINTS = 160;

    private final Plot plot;
    private final ChartFrame frame;
    private final List<Double> xs;

    private PlotHtml(Plot plot) {
        this.plot = thinned(plot);
        xs = this.plot.points().stream().map(Plot.Point::x).distinct().sorted().toList();
        double first = xs.get(0);
        double last = xs.get(xs.size() - 1);
        Axis across = plot.band()
                ? Axis.epochs((int) first, (int) last)
                : Axis.linear(plot.x().startsWith("Time") ? 0 : first, last);
        frame = new ChartFrame(across, PlotFiles.up(plot));
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
                ChartFrame.WIDTH,
                ChartFrame.HEIGHT,
                Html.escape(inWords()),
                readable
                        ? " data-at=\"%s\" data-x=\"%s\""
                                .formatted(spaced(xs, NumberText::plain), spaced(xs, x -> coordinate(frame.x(x))))
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
        StringBuilder svg = new StringBuilder(frame.axes(plot.x()));
        for (int i = 0; plot.band() && i < plot.series().size(); i++) {
            svg.append(band(plot.series().get(i).points(), style(i)));
        }
        for (int i = 0; i < plot.series().size(); i++) {
            svg.append(series(plot.series().get(i), style(i)));
        }
        return svg.toString();
    }

    private String band(List<Plot.Point> points, String style) {
        return points.size() < 2 ? "" : frame.band(style, points, Plot.Point::x, Plot.Point::low, Plot.Point::high);
    }

    private String series(Plot.Series series, String style) {
        StringBuilder svg = new StringBuilder();
        if (series.connected() && series.points().size() > 1) {
            svg.append(frame.polyline(
                    style + (plot.band() ? "" : " solid"), series.points(), Plot.Point::x, Plot.Point::mean));
        }
        if (!plot.band() || series.points().size() == 1) {
            for (Plot.Point point : series.points()) {
                double x = frame.x(point.x());
                svg.append(ChartFrame.line("bar " + style, x, frame.y(point.low()), x, frame.y(point.high())));
                svg.append(frame.dot(style, point.x(), point.mean()));
            }
        }
        return svg.toString();
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

    private static String style(int series) {
        return "c" + series % Plot.COLOURS + (series < Plot.COLOURS ? "" : " again");
    }
}
