package io.polder.study.page;

import io.polder.files.WholeFile;
import java.awt.geom.Point2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;

/** Charts as files: each as SVG, for papers, and as PNG of twice its size, for everything else. */
public final class ChartFiles {
    private static final int WIDTH = 720;
    private static final int HEIGHT_OF_CHART = 420;
    private static final int HEIGHT_OF_LEGEND_LINE = 22;
    private static final int EDGE = 20;
    private static final int LEFT = 72;
    private static final int PIXELS = 2;

    private ChartFiles() {}

    /** Writes {@code <name>.svg} and {@code <name>.png} of each. */
    public static List<Path> write(List<Chart> charts, Path directory) throws IOException {
        try {
            List<Path> written = new ArrayList<>();
            for (Chart chart : charts) {
                FilePen drawing = draw(chart);
                Path svg = directory.resolve(chart.name() + ".svg");
                WholeFile.write(svg, drawing.svg());
                var image = new ByteArrayOutputStream();
                ImageIO.write(drawing.image(PIXELS), "png", image);
                Path png = directory.resolve(chart.name() + ".png");
                WholeFile.write(png, draft -> Files.write(draft, image.toByteArray()));
                written.addAll(List.of(svg, png));
            }
            return written;
        } catch (LinkageError | InternalError e) { // what Java throws where the system has no fonts
            throw new IOException(
                    "the figures cannot be drawn, as Java finds no fonts: install fontconfig and a font (Debian: apt install"
                            + " fontconfig fonts-dejavu-core); all else is written",
                    e);
        }
    }

    private static boolean isPlace(Chart.Series series) {
        return series.points().size() == 1;
    }

    private static FilePen draw(Chart chart) {
        List<Chart.Series> shown = chart.series().stream()
                .filter(series -> !series.points().isEmpty())
                .toList();
        // A long legend has two columns, and its numbers tell what its colours cannot.
        int columns = chart.isNumbered() ? 2 : 1;
        int lines = (shown.size() + columns - 1) / columns;
        var pen = new FilePen(WIDTH, HEIGHT_OF_CHART + HEIGHT_OF_LEGEND_LINE * lines);
        pen.caption(true, EDGE, 30, chart.title());
        pen.text(Pen.Anchor.START, EDGE, 54, chart.y());
        new ChartFrame(chart.across(), chart.up(), LEFT, 74, WIDTH - EDGE, HEIGHT_OF_CHART - 62).draw(chart, pen);
        // The legend stands below, where it covers nothing.
        for (int i = 0; i < shown.size(); i++) {
            Chart.Series series = shown.get(i);
            double x = LEFT + i / lines * (WIDTH - LEFT) / 2.0;
            double y = HEIGHT_OF_CHART + HEIGHT_OF_LEGEND_LINE * (i % lines);
            if (!chart.kind().isOfPoints() && !isPlace(series)) {
                pen.line(series.style(), List.of(new Point2D.Double(x, y), new Point2D.Double(x + 26, y)));
            }
            if (chart.kind() != Chart.Kind.COURSE && (chart.kind() != Chart.Kind.CONTOURS || isPlace(series))) {
                pen.dot(series.style(), new Point2D.Double(x + 13, y));
            }
            pen.caption(false, x + 36, y + 4.5, chart.label(series));
        }
        return pen;
    }
}
