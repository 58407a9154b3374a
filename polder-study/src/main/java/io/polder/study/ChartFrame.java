package io.polder.study;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Where the charts of pages have their axes, and the SVG that they are drawn with. Colours and type come from {@code report.css}. */
public record ChartFrame(Axis across, Axis up) {
    // In units of the viewBox, which are about CSS pixels on a phone: 13px type stays legible there.
    public static final int WIDTH = 420;
    public static final int HEIGHT = 280;
    public static final int LEFT = 46;
    public static final int RIGHT = WIDTH - 10;
    private static final int TOP = 34;
    private static final int BOTTOM = HEIGHT - 44;

    public double x(double value) {
        return LEFT + across.at(value) * (RIGHT - LEFT);
    }

    public double y(double value) {
        return BOTTOM - up.at(value) * (BOTTOM - TOP);
    }

    /** Grid, ticks and the rule that follows the pointer. */
    public String axes(String nameAcross) {
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
        svg.append(label("middle", (LEFT + RIGHT) / 2.0, HEIGHT - 4, Html.escape(nameAcross)));
        return svg.append(line("rule", LEFT, TOP, LEFT, BOTTOM)).toString();
    }

    /** What lies between two lines over the same places. */
    public <P> String band(
            String style, List<P> points, ToDoubleFunction<P> at, ToDoubleFunction<P> low, ToDoubleFunction<P> high) {
        List<P> back = new ArrayList<>(points);
        Collections.reverse(back);
        return "<polygon class=\"band %s\" points=\"%s %s\"/>\n"
                .formatted(style, path(points, at, high), path(back, at, low));
    }

    public <P> String polyline(String style, List<P> points, ToDoubleFunction<P> at, ToDoubleFunction<P> value) {
        return "<polyline class=\"line %s\" points=\"%s\"/>\n".formatted(style, path(points, at, value));
    }

    public String dot(String style, double at, double value) {
        return "<circle class=\"dot %s\" cx=\"%s\" cy=\"%s\" r=\"3.5\"/>\n"
                .formatted(style, coordinate(x(at)), coordinate(y(value)));
    }

    private <P> String path(List<P> points, ToDoubleFunction<P> at, ToDoubleFunction<P> value) {
        return spaced(points, p -> coordinate(x(at.applyAsDouble(p))) + "," + coordinate(y(value.applyAsDouble(p))));
    }

    public static String line(String style, double x1, double y1, double x2, double y2) {
        return "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
                .formatted(style, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
    }

    static String label(String anchor, double x, double y, String text) {
        return "<text text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n"
                .formatted(anchor, coordinate(x), coordinate(y), text);
    }

    public static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** As attributes hold lists. */
    public static <T> String spaced(List<T> items, Function<T, String> text) {
        return items.stream().map(text).collect(Collectors.joining(" "));
    }
}
