package io.polder.study.page;

import java.awt.geom.Point2D;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes SVG elements for a page: {@code report.css} gives them colour and type, so that they follow a dark screen and a small one. */
final class PagePen implements Pen {
    private final StringBuilder svg = new StringBuilder();
    private String series = "";

    @Override
    public void begin(Chart.Series begun) {
        series = " data-series=\"" + Html.escape(begun.label()) + "\"";
    }

    @Override
    public void rule(String part, double x1, double y1, double x2, double y2) {
        svg.append("<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
                .formatted(part, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2)));
    }

    @Override
    public void band(Style style, List<Point2D> outline) {
        points("polygon", "band", style, outline);
    }

    @Override
    public void line(Style style, List<Point2D> points) {
        points("polyline", "line", style, points);
    }

    @Override
    public void bar(Style style, double x, double low, double high) {
        svg.append("<line class=\"bar %s\"%s x1=\"%3$s\" y1=\"%4$s\" x2=\"%3$s\" y2=\"%5$s\"/>\n"
                .formatted(style.css(), series, coordinate(x), coordinate(low), coordinate(high)));
    }

    private void points(String element, String part, Style style, List<Point2D> points) {
        String places = points.stream()
                .map(point -> coordinate(point.getX()) + "," + coordinate(point.getY()))
                .collect(Collectors.joining(" "));
        svg.append("<%s class=\"%s %s\"%s points=\"%s\"/>\n".formatted(element, part, style.css(), series, places));
    }

    @Override
    public void dot(Style style, Point2D at) {
        svg.append("<circle class=\"dot %s\"%s cx=\"%s\" cy=\"%s\" r=\"3.5\"/>\n"
                .formatted(style.css(), series, coordinate(at.getX()), coordinate(at.getY())));
    }

    @Override
    public void text(Anchor anchor, double x, double y, String text) {
        svg.append("<text text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n"
                .formatted(anchor.name().toLowerCase(Locale.ROOT), coordinate(x), coordinate(y), Html.escape(text)));
    }

    String svg() {
        return svg.toString();
    }

    static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
