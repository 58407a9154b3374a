package io.polder.study.page;

import java.awt.geom.Point2D;
import java.util.List;

/** What charts are drawn with. Places are in units of the drawing, from its top left corner. */
interface Pen {
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** What is drawn from here on belongs to this series. */
    default void begin(Chart.Series series) {}

    /** A line of the frame. @param part {@code grid}, {@code tick} or {@code axis} */
    void rule(String part, double x1, double y1, double x2, double y2);

    void band(Style style, List<Point2D> outline);

    void line(Style style, List<Point2D> points);

    /** The range of a point. */
    void bar(Style style, double x, double low, double high);

    void dot(Style style, Point2D at);

    void text(Anchor anchor, double x, double y, String text);
}
