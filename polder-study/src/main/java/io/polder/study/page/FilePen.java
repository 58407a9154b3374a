package io.polder.study.page;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Point2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws shapes in the colours that {@code report.css} has for light screens, on white. Letters are shapes too, so that a figure looks the
 * same everywhere; its SVG and its pixels are made of the same shapes.
 */
final class FilePen implements Pen {
    private static final Font TYPE = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final FontRenderContext EXACT = new FontRenderContext(null, true, true);
    private static final String CSS = Html.style();
    private static final int MARGIN = 14;
    private static final double RADIUS = 4;

    /** Each colour has its own dot, for those who do not see colours: its corners, and where the first is in degrees; none is a circle. */
    private static final int[][] DOTS = {{0}, {4, 45}, {4, 0}, {3, -90}, {3, 90}, {0}, {4, 45}, {4, 0}};

    /** @param stroke null if it is filled */
    private record Mark(Shape shape, Color colour, BasicStroke stroke) {}

    private final int width;
    private final int height;
    private final List<Mark> marks = new ArrayList<>();

    FilePen(int width, int height) {
        this.width = width;
        this.height = height;
    }

    @Override
    public void rule(String part, double x1, double y1, double x2, double y2) {
        Color colour = colour(part.equals("grid") ? "hair" : "soft");
        marks.add(new Mark(new Line2D.Double(x1, y1, x2, y2), colour, new BasicStroke(1)));
    }

    @Override
    public void band(Style style, List<Point2D> outline) {
        Color full = colour(style);
        Color veil = new Color(full.getRed(), full.getGreen(), full.getBlue(), 40);
        marks.add(new Mark(path(outline, true), veil, null));
    }

    @Override
    public void line(Style style, List<Point2D> points) {
        float[] dashes = switch (style.dashes()) {
            case SOLID -> null;
            case DASHED -> new float[] {6, 5};
            case DOTTED -> new float[] {1, 5};
        };
        var stroke = new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 10, dashes, 0);
        marks.add(new Mark(path(points, false), colour(style), stroke));
    }

    @Override
    public void bar(Style style, double x, double low, double high) {
        Path2D bar = new Path2D.Double(new Line2D.Double(x, low, x, high));
        bar.append(new Line2D.Double(x - 3, low, x + 3, low), false);
        bar.append(new Line2D.Double(x - 3, high, x + 3, high), false);
        marks.add(new Mark(bar, colour(style), new BasicStroke(1.2f)));
    }

    @Override
    public void dot(Style style, Point2D at) {
        int[] dot = DOTS[style.colour()];
        List<Point2D> corners = new ArrayList<>();
        for (int i = 0; i < dot[0]; i++) {
            double angle = Math.toRadians(dot[1] + 360.0 * i / dot[0]);
            double reach = 1.3 * RADIUS; // for about the area of the circle
            corners.add(new Point2D.Double(at.getX() + reach * Math.cos(angle), at.getY() + reach * Math.sin(angle)));
        }
        Shape circle = new Ellipse2D.Double(at.getX() - RADIUS, at.getY() - RADIUS, 2 * RADIUS, 2 * RADIUS);
        marks.add(new Mark(corners.isEmpty() ? circle : path(corners, true), colour(style), null));
    }

    @Override
    public void text(Anchor anchor, double x, double y, String text) {
        text(TYPE, colour("soft"), anchor, x, y, text);
    }

    /** What is read first. */
    void caption(boolean bold, double x, double y, String text) {
        text(bold ? TYPE.deriveFont(Font.BOLD, 15) : TYPE, colour("ink"), Anchor.START, x, y, text);
    }

    /** Squeezed if it would be cut off. */
    private void text(Font font, Color colour, Anchor anchor, double x, double y, String text) {
        var letters = font.createGlyphVector(EXACT, text);
        double length = letters.getLogicalBounds().getWidth();
        double room = anchor == Anchor.START ? width - MARGIN - x : length;
        double squeeze = length > room ? room / length : 1;
        var place = AffineTransform.getTranslateInstance(x - anchor.ordinal() / 2.0 * length, y);
        place.scale(squeeze, 1);
        marks.add(new Mark(place.createTransformedShape(letters.getOutline()), colour, null));
    }

    private static Color colour(Style style) {
        return colour("c" + style.colour());
    }

    private static Color colour(String variable) {
        Matcher light = Pattern.compile("--" + variable + ": (#\\w{6});").matcher(CSS);
        if (!light.find()) {
            throw new IllegalArgumentException("report.css has no colour --" + variable);
        }
        return Color.decode(light.group(1));
    }

    private static Path2D path(List<Point2D> points, boolean closed) {
        Path2D path = new Path2D.Double();
        path.moveTo(points.get(0).getX(), points.get(0).getY());
        points.stream().skip(1).forEach(point -> path.lineTo(point.getX(), point.getY()));
        if (closed) {
            path.closePath();
        }
        return path;
    }

    BufferedImage image(int pixelsPerUnit) {
        var image = new BufferedImage(pixelsPerUnit * width, pixelsPerUnit * height, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.scale(pixelsPerUnit, pixelsPerUnit);
        canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        canvas.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        canvas.setColor(Color.WHITE);
        canvas.fillRect(0, 0, width, height);
        for (Mark mark : marks) {
            canvas.setColor(mark.colour());
            if (mark.stroke() == null) {
                canvas.fill(mark.shape());
            } else {
                canvas.setStroke(mark.stroke());
                canvas.draw(mark.shape());
            }
        }
        canvas.dispose();
        return image;
    }

    String svg() {
        var svg = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$s" height="%2$s" viewBox="0 0 %1$s %2$s">
                <path fill="#fff" d="M0 0H%1$sV%2$sH0Z"/>
                """.formatted(width, height));
        for (Mark mark : marks) {
            String paint = mark.stroke() == null ? "fill" : "fill=\"none\" " + attributes(mark.stroke()) + " stroke";
            svg.append("<path d=\"%s\" %s=\"#%06x\" opacity=\"%s\"/>\n"
                    .formatted(
                            data(mark.shape()),
                            paint,
                            mark.colour().getRGB() & 0xffffff,
                            mark.colour().getAlpha() / 255f));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String attributes(BasicStroke stroke) {
        boolean round = stroke.getEndCap() == BasicStroke.CAP_ROUND;
        float[] dashes = stroke.getDashArray();
        return "stroke-width=\"" + stroke.getLineWidth() + "\""
                + (round ? " stroke-linecap=\"round\" stroke-linejoin=\"round\"" : "")
                + (dashes == null ? "" : " stroke-dasharray=\"" + dashes[0] + " " + dashes[1] + "\"");
    }

    private static String data(Shape shape) {
        var data = new StringBuilder();
        double[] numbers = new double[6];
        for (PathIterator path = shape.getPathIterator(null); !path.isDone(); path.next()) {
            int segment = path.currentSegment(numbers);
            data.append("MLQCZ".charAt(segment));
            int count = new int[] {2, 2, 4, 6, 0}[segment];
            for (int i = 0; i < count; i++) {
                data.append(i == 0 ? "" : " ").append(Math.round(100 * numbers[i]) / 100.0);
            }
        }
        return data.toString();
    }
}
