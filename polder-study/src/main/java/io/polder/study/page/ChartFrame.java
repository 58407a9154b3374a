package io.polder.study.page;

import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
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
        Predicate<Chart.Point> far = chart.far();
        boolean bands = chart.kind() == Chart.Kind.COURSE;
        // Every band before every line, so that no band veils a line.
        for (Chart.Series series : bands ? chart.series() : List.<Chart.Series>of()) {
            pen.begin(series);
            series.stretches().forEach(stretch -> drawBand(stretch, series.style(), pen));
        }
        if (chart.kind().isOfPoints()) {
            drawFrontier(chart.frontier(), pen);
        }
        for (Chart.Series series : chart.series()) {
            pen.begin(series);
            for (List<Chart.Point> stretch : series.stretches()) {
                if (stretch.size() > 1 && !chart.kind().isOfPoints()) {
                    pen.line(series.style(), places(stretch, Chart.Point::mean));
                }
                // A lone point has no length to draw, so it is a dot.
                if (stretch.size() == 1 || !bands && chart.kind() != Chart.Kind.CONTOURS) {
                    stretch.forEach(point -> drawDot(chart, far, point, series.style(), pen));
                }
            }
        }
        if (chart.isNumbered()) {
            drawNumbers(chart, far, pen);
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

    /** Down the stairs: a step to the right buys one down, or up. */
    private void drawFrontier(List<Chart.Point> frontier, Pen pen) {
        for (int i = 0; i + 1 < frontier.size(); i++) {
            Chart.Point here = frontier.get(i);
            Chart.Point next = frontier.get(i + 1);
            pen.rule("axis", x(here.x()), y(here.mean()), x(next.x()), y(here.mean()));
            pen.rule("axis", x(next.x()), y(here.mean()), x(next.x()), y(next.mean()));
        }
    }

    private void drawDot(Chart chart, Predicate<Chart.Point> far, Chart.Point point, Style style, Pen pen) {
        Point2D place = place(chart, far, point);
        if (far.test(point)) {
            String value = chart.valueText().apply(point.mean());
            boolean below = chart.kind() == Chart.Kind.HIGH_FRONTIER;
            pen.text(
                    Pen.Anchor.START,
                    place.getX() + 8,
                    place.getY() + (below ? -8 : 16),
                    value + (below ? " ↓" : " ↑"));
        } else if (point.low() < point.high()) {
            pen.bar(style, place.getX(), y(point.low()), y(point.high()));
        }
        pen.dot(style, place);
    }

    private Point2D place(Chart chart, Predicate<Chart.Point> far, Chart.Point point) {
        double end = chart.kind() == Chart.Kind.HIGH_FRONTIER ? bottom : top;
        return new Point2D.Double(x(point.x()), far.test(point) ? end : y(point.mean()));
    }

    /** The number of its series beside each dot, where it covers the least. */
    private void drawNumbers(Chart chart, Predicate<Chart.Point> far, Pen pen) {
        List<Rectangle2D> taken = new ArrayList<>();
        for (Chart.Point point : chart.points()) {
            Point2D dot = place(chart, far, point);
            taken.add(new Rectangle2D.Double(dot.getX() - 5, dot.getY() - 5, 10, 10));
        }
        for (int i = 0; i < chart.series().size(); i++) {
            String number = Integer.toString(i + 1);
            for (Chart.Point point : chart.series().get(i).points()) {
                if (point.isKnown()) {
                    Rectangle2D room = freeRoom(place(chart, far, point), 8.3 * number.length(), taken);
                    pen.text(Pen.Anchor.START, room.getX(), room.getMaxY(), number);
                    taken.add(room);
                }
            }
        }
    }

    /** Beside a dot, above the line to the next, or else where it is free. */
    private static Rectangle2D freeRoom(Point2D dot, double width, List<Rectangle2D> taken) {
        List<Rectangle2D> rooms = new ArrayList<>();
        for (double up : new double[] {-3, 13, 5, -11, 21}) {
            rooms.add(new Rectangle2D.Double(dot.getX() + 7, dot.getY() + up - 10, width, 10));
            rooms.add(new Rectangle2D.Double(dot.getX() - 7 - width, dot.getY() + up - 10, width, 10));
        }
        return rooms.stream()
                .filter(room -> taken.stream().noneMatch(room::intersects))
                .findFirst()
                .orElse(rooms.get(0));
    }

    private List<Point2D> places(List<Chart.Point> points, ToDoubleFunction<Chart.Point> value) {
        List<Point2D> places = new ArrayList<>();
        points.forEach(point -> places.add(new Point2D.Double(x(point.x()), y(value.applyAsDouble(point)))));
        return places;
    }
}
