package io.polder.study.page;

import static io.polder.study.page.PagePen.coordinate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A chart as an HTML figure around an inline SVG. The legend gives the last values; {@code report.js} puts those under the pointer in
 * their place.
 */
public final class ChartHtml {
    /** Of a series: more than a screen can show apart. */
    public static final int MOST_POINTS = 160;

    // In units of the viewBox, which are about CSS pixels on a phone: 13px type stays legible there.
    private static final int WIDTH = 420;
    private static final int PLOT = 202;
    private static final int LEFT = 46;
    private static final int RIGHT = WIDTH - 10;
    private static final int BELOW = 44;

    private final Chart chart;
    private final PagePen pen = new PagePen();
    private final int top;
    private final int bottom;

    private ChartHtml(Chart chart) {
        this.chart = chart;
        // Where the title does not say what is measured, a line below it does.
        this.top = chart.y().equals(chart.title()) ? 34 : 56;
        this.bottom = top + PLOT;
    }

    /** All of them, in the grid of {@code report.css}. */
    public static String of(List<Chart> charts) {
        return charts.stream()
                .map(ChartHtml::of)
                .collect(Collectors.joining("", "<div class=\"charts\">\n", "</div>\n"));
    }

    public static String of(Chart chart) {
        return new ChartHtml(chart.thinned(MOST_POINTS)).html();
    }

    private String html() {
        if (chart.points().isEmpty()) {
            pen.text(Pen.Anchor.MIDDLE, WIDTH / 2.0, top + PLOT / 2.0, "Nothing was recorded");
            return figure(": nothing was recorded", "", "", series -> "");
        }
        Axis across = chart.across();
        var frame = new ChartFrame(across, chart.up(), LEFT, top, RIGHT, bottom);
        frame.draw(chart, pen);
        if (!chart.y().equals(chart.title())) {
            pen.text(Pen.Anchor.START, 0, 35, chart.y());
        }
        String by = ", by " + chart.x().toLowerCase(Locale.ROOT) + ". ";
        String values = chart.series().stream()
                .map(series -> series.label() + " " + lastValue(series))
                .collect(Collectors.joining(", "));
        if (chart.kind() == Chart.Kind.CONTOURS) {
            return figure(", over " + chart.x() + " and " + chart.y() + ". Lines at " + labels(), "", "", series -> "");
        }
        if (chart.kind().isOfPoints()) {
            return figure(by + values, "", "", series -> "");
        }
        pen.rule("rule", LEFT, top, LEFT, bottom);
        int decimals = chart.decimals();
        String at =
                chart.x() + " " + Axis.label(BigDecimal.valueOf(chart.last()).setScale(decimals, RoundingMode.HALF_UP));
        String scale = " data-across=\"%s\" data-range=\"%s %s\" data-decimals=\"%s\" data-x=\"%s %s\""
                .formatted(Html.escape(chart.x()), across.low(), across.high(), decimals, LEFT, RIGHT);
        return figure(by + "At " + at.toLowerCase(Locale.ROOT) + ": " + values, scale, at, series -> {
            List<Double> places = places(series);
            return " data-x=\"%s\" data-values=\"%s\""
                    .formatted(
                            spaced(places, x -> coordinate(frame.x(x))), spaced(places, x -> text(series.meanAt(x))));
        });
    }

    /** Where a series is read off. Steps and tests of a run never meet, so each has its own places; elsewhere a series may have no value. */
    private List<Double> places(Chart.Series series) {
        boolean own = chart.kind() == Chart.Kind.COURSE && chart.decimals() > 0;
        List<Chart.Point> points = own ? series.points() : chart.points();
        return points.stream().map(Chart.Point::x).distinct().sorted().toList();
    }

    /** @param values attributes of a series in the legend */
    private String figure(String words, String scale, String at, Function<Chart.Series, String> values) {
        StringBuilder legend = new StringBuilder();
        for (Chart.Series series : chart.series()) {
            // Of points that are not joined, none is the last.
            boolean valued = !chart.kind().isOfPoints() && chart.kind() != Chart.Kind.CONTOURS;
            String value = valued ? " <span class=\"value\">" + lastValue(series) + "</span>" : "";
            legend.append("<li class=\"%1$s\" data-series=\"%3$s\"%2$s>%5$s%4$s</li>\n"
                    .formatted(
                            series.style().css(),
                            values.apply(series),
                            Html.escape(series.label()),
                            value,
                            Html.escape(chart.label(series))));
        }
        String id = chart.name().isEmpty() ? "" : " id=\"" + Html.escape(chart.name()) + "\"";
        return """
                <figure class="chart"%s>
                <svg viewBox="0 0 %s %s" role="img" aria-label="%s"%s>
                <text class="title" x="0" y="14">%s</text>
                %s</svg>
                <figcaption><span class="at">%s</span>
                <ul class="legend">
                %s</ul></figcaption>
                </figure>
                """.formatted(
                        id,
                        WIDTH,
                        bottom + BELOW,
                        Html.escape(chart.title() + words),
                        scale,
                        Html.escape(chart.title()),
                        pen.svg(),
                        Html.escape(at),
                        legend);
    }

    private String labels() {
        return chart.series().stream().map(Chart.Series::label).collect(Collectors.joining(", "));
    }

    private String lastValue(Chart.Series series) {
        List<Chart.Point> points = series.points();
        return text(
                points.isEmpty() ? Double.NaN : points.get(points.size() - 1).mean());
    }

    private String text(double value) {
        return chart.valueText().apply(value);
    }

    /** As attributes hold lists. */
    private static String spaced(List<Double> places, Function<Double, String> text) {
        return places.stream().map(text).collect(Collectors.joining(" "));
    }
}
