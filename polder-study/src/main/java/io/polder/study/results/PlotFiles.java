package io.polder.study.results;

import io.polder.files.WholeFile;
import io.polder.study.Axis;
import io.polder.study.NumberText;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Figures as files: each as SVG, for papers, and as PNG of twice its size, for everything else. */
final class PlotFiles {
    private static final int WIDTH = 720;
    private static final int HEIGHT_OF_PLOT = 400;
    private static final int HEIGHT_OF_LEGEND_LINE = 22;
    private static final int PIXELS = 2;

    /** After Okabe and Ito: told apart by those who cannot tell red from green; each also has its own marker or dashes. */
    private static final Color[] COLOURS = {
        new Color(0x6e6a63), new Color(0x0072b2), new Color(0xcc4f00), new Color(0x00805e),
        new Color(0xa8477f), new Color(0x1f9ad6), new Color(0x8a6d00), new Color(0x222222)
    };

    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP,
        SeriesMarkers.TRIANGLE_DOWN, SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND
    };
    private static final Color INK = new Color(0x1d1c1a);
    private static final Color SOFT = new Color(0x63605a);
    private static final Color HAIR = new Color(0xe4e0d8);

    private PlotFiles() {}

    /** Writes {@code <name>.svg} and {@code <name>.png} of each. */
    static List<Path> write(List<Plot> plots, Path directory) throws IOException {
        try {
            return draw(plots, directory);
        } catch (LinkageError | InternalError e) { // what Java throws where the system has no fonts
            throw new IOException(
                    "the figures cannot be drawn, as Java finds no fonts: install fontconfig and a font (Debian: apt install"
                            + " fontconfig fonts-dejavu-core); all else is written",
                    e);
        }
    }

    private static List<Path> draw(List<Plot> plots, Path directory) throws IOException {
        List<Path> written = new ArrayList<>();
        for (Plot plot : plots) {
            Path svg = directory.resolve(plot.name() + ".svg");
            WholeFile.write(svg, svg(plot));
            Path png = directory.resolve(plot.name() + ".png");
            byte[] image = png(plot);
            WholeFile.write(png, draft -> Files.write(draft, image));
            written.addAll(List.of(svg, png));
        }
        return written;
    }

    static String svg(Plot plot) throws IOException {
        // Java's name for the font of the system means nothing elsewhere.
        return new String(ChartEncoder.getBytes(chart(plot), "svg"), StandardCharsets.UTF_8)
                .replaceAll(
                        "font-family:\\s*\"?SansSerif\"?", "font-family:Helvetica,Arial,'Liberation Sans',sans-serif")
                .replaceAll(
                        "font-family=\"SansSerif\"", "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\"");
    }

    static byte[] png(Plot plot) throws IOException {
        int height = height(plot);
        var image = new BufferedImage(PIXELS * WIDTH, PIXELS * height, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.scale(PIXELS, PIXELS);
        chart(plot).paint(canvas, WIDTH, height);
        canvas.dispose();
        var bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }

    /** The legend stands below, where it covers nothing. */
    private static int height(Plot plot) {
        return HEIGHT_OF_PLOT + HEIGHT_OF_LEGEND_LINE * plot.series().size();
    }

    private static XYChart chart(Plot plot) {
        var chart = new XYChart(WIDTH, height(plot));
        chart.setTitle(plot.title());
        chart.setXAxisTitle(plot.x());
        chart.setYAxisTitle(plot.y());
        style(chart, plot);
        if (plot.band()) {
            // Every band before every line, so that no band veils a line.
            for (int i = 0; i < plot.series().size(); i++) {
                addBand(chart, plot.series().get(i), i);
            }
        }
        for (int i = 0; i < plot.series().size(); i++) {
            addSeries(chart, plot, plot.series().get(i), i);
        }
        return chart;
    }

    private static void addBand(XYChart chart, Plot.Series series, int index) {
        if (series.points().size() < 2) {
            return;
        }
        List<Plot.Point> back = new ArrayList<>(series.points());
        Collections.reverse(back);
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        series.points().forEach(point -> {
            x.add(point.x());
            y.add(point.high());
        });
        back.forEach(point -> {
            x.add(point.x());
            y.add(point.low());
        });
        Color colour = COLOURS[index % COLOURS.length];
        XYSeries band = chart.addSeries("band " + index, x, y);
        band.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
        band.setFillColor(new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), 40));
        band.setLineColor(new Color(0, 0, 0, 0));
        band.setLineWidth(0);
        band.setMarker(SeriesMarkers.NONE);
        band.setShowInLegend(false);
    }

    private static void addSeries(XYChart chart, Plot plot, Plot.Series series, int index) {
        if (series.points().isEmpty()) {
            return;
        }
        double[] x = series.points().stream().mapToDouble(Plot.Point::x).toArray();
        double[] y = series.points().stream().mapToDouble(Plot.Point::mean).toArray();
        double[] margin = series.points().stream()
                .mapToDouble(point -> point.high() - point.mean())
                .toArray();
        // Labels may be the same in two rows, names of series may not.
        XYSeries drawn = plot.band()
                ? chart.addSeries("series " + index, x, y)
                : chart.addSeries("series " + index, x, y, margin);
        drawn.setLabel(series.label());
        drawn.setLineColor(COLOURS[index % COLOURS.length]);
        drawn.setMarkerColor(COLOURS[index % COLOURS.length]);
        boolean markers = !plot.band() || x.length == 1;
        drawn.setMarker(markers ? MARKERS[index % MARKERS.length] : SeriesMarkers.NONE);
        drawn.setLineStyle(
                series.connected()
                        ? new BasicStroke(
                                2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 10f, dashes(plot, index), 0f)
                        : new BasicStroke(0f));
        drawn.setXYSeriesRenderStyle(
                series.connected() ? XYSeries.XYSeriesRenderStyle.Line : XYSeries.XYSeriesRenderStyle.Scatter);
    }

    /** The first curve, the baseline, is dashed; those whose colour was used before are dotted. */
    private static float[] dashes(Plot plot, int index) {
        if (index >= COLOURS.length) {
            return new float[] {2f, 4f};
        }
        return plot.band() && index == 0 ? new float[] {6f, 5f} : null;
    }

    private static void style(XYChart chart, Plot plot) {
        var style = chart.getStyler();
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
        style.setBaseFont(font);
        style.setChartBackgroundColor(Color.WHITE);
        style.setChartFontColor(INK);
        style.setChartPadding(14);
        style.setChartTitleFont(font.deriveFont(Font.BOLD, 15f));
        style.setChartTitleBoxVisible(false);
        style.setChartTitlePadding(8);
        style.setPlotBackgroundColor(Color.WHITE);
        style.setPlotBorderVisible(false);
        style.setPlotGridLinesColor(HAIR);
        style.setPlotGridVerticalLinesVisible(false);
        style.setPlotGridLinesStroke(new BasicStroke(1f));
        style.setPlotContentSize(plot.band() ? 0.97 : 0.94);
        style.setPlotMargin(4);
        style.setAxisTickLabelsFont(font);
        style.setAxisTickLabelsColor(SOFT);
        style.setAxisTickMarksColor(SOFT);
        style.setAxisTitleFont(font);
        style.setAxisTitlePadding(8);
        style.setAxisTickPadding(7);
        style.setYAxisLabelAlignment(AxesChartStyler.TextAlignment.Right);
        style.setLegendPosition(Styler.LegendPosition.OutsideS);
        style.setLegendLayout(Styler.LegendLayout.Vertical);
        style.setLegendFont(font);
        style.setLegendBorderColor(new Color(0, 0, 0, 0));
        style.setLegendBackgroundColor(Color.WHITE);
        style.setLegendSeriesLineLength(26);
        style.setLegendPadding(4);
        style.setMarkerSize(9);
        style.setErrorBarsColorSeriesColor(true);
        Axis up = up(plot);
        style.setYAxisLogarithmic(up.logarithmic());
        style.setYAxisMin(up.low());
        style.setYAxisMax(up.high());
        int decimals = up.logarithmic() ? -1 : decimals(up.high() - up.low());
        style.setYAxisTickLabelsFormattingFunction(
                value -> decimals < 0 ? label(value) : NumberText.fixed(value, decimals));
        style.setXAxisTickLabelsFormattingFunction(value -> label(value));
        style.setXAxisTickMarkSpacingHint(80);
        style.setYAxisTickMarkSpacingHint(46);
        if (plot.x().startsWith("Time")) {
            style.setXAxisMin(0.0);
        }
    }

    /** The same for all labels of an axis: 8.0 beside 8.5. */
    private static int decimals(double range) {
        return range >= 8 ? 0 : range >= 0.8 ? 1 : range >= 0.08 ? 2 : 4;
    }

    static Axis up(Plot plot) {
        return plot.isLogarithmic() ? Axis.logarithmic(plot.low(), plot.high()) : Axis.linear(plot.low(), plot.high());
    }

    private static String label(double value) {
        return Axis.label(BigDecimal.valueOf(value).round(new MathContext(6)).stripTrailingZeros());
    }
}
