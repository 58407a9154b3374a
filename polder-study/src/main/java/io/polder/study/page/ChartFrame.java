package io.polder.study.page;

import java.awt.geom.Point2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Where a chart has its axes, and what is drawn between them. */
record ChartFrame(Axis across, Axis up, double left, double top, double right, double bottom) {
    double x(double value) {
        return left + across.at(value) * (right - left);
    }

    private double y(double value) {
        return bottom - up.at(value) * (bottom - top);
    }

    void draw(Chart chart, Pen pen) {
        drawAxes(chart.x(), pen);
        boolean bands = chart.kind() == Chart.Kind.COURSE;
        // Every band before every line, so that no band veils a line.
        for (Chart.Series series : bands ? chart.series() : List.<Chart.Series>of()) {
            series.stretches().forEach(stretch -> drawBand(stretch, series.style(), pen));
        }
        for (Chart.Series series : chart.series()) {
            for (List<Chart.Point> stretch : series.stretches()) {
                if (stretch.size() > 1 && chart.kind() != Chart.Kind.POINTS) {
                    pen.line(series.style(), places(stretch, Chart.Point::mean));
                }
                // A lone point has no length to draw, so it is a dot.
                if (stretch.size() == 1 || !bands && chart.kind() != Chart.Kind.CONTOURS) {
                    stretch.forEach(point -> drawDot(point, series.style(), pen));
                }
            }
        }
    }

    private void drawAxes(String nameAcross, Pen pen) {
        for (BigDecimal tick : up.ticks()) {
            double y = y(tick.doubleValue());
            pen.rule("grid", left, y, right, y);
            pen.text(Pen.Anchor.END, left - 8, y + 4.5, Axis.label(tick));
        }
        for (BigDecimal tick : across.ticks()) {
            double x = x(tick.doubleValue());
            pen.rule("tick", x, bottom, x, bottom + 5);
            pen.text(Pen.Anchor.MIDDLE, x, bottom + 19, Axis.label(tick));
        }
        pen.rule("axis", left, bottom, right, bottom);
        pen.text(Pen.Anchor.MIDDLE, (left + right) / 2, bottom + 40, nameAcross);
    }

    /** Where every point is a single value there is none. */
    private void drawBand(List<Chart.Point> points, Style style, Pen pen) {
        if (points.stream().anyMatch(point -> point.low() < point.high())) {
            List<Point2D> outline = places(points, Chart.Point::low);
            Collections.reverse(outline);
            outline.addAll(0, places(points, Chart.Point::high));
            pen.band(style, outline);
        }
    }

    private void drawDot(Chart.Point point, Style style, Pen pen) {
        double x = x(point.x());
        if (point.low() < point.high()) {
            pen.bar(style, x, y(point.low()), y(point.high()));
        }
        pen.dot(style, new Point2D.Double(x, y(point.mean())));
    }

    private List<Point2D> places(List<Chart.Point> points, ToDoubleFunction<Chart.Point> value) {
        List<Point2D> places = new ArrayList<>();
        points.forEach(point -> places.add(new Point2D.Double(x(point.x()), y(value.applyAsDouble(point)))));
        return places;
    }
}
