package io.polder.study.sharpness;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.files.WholeFile;
import io.polder.sharpness.Landscape;
import io.polder.study.NumberText;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartFiles;
import io.polder.study.page.ChartHtml;
import io.polder.study.page.Html;
import io.polder.study.page.Style;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A loss landscape as numbers, figures and a page.
 *
 * @param name of the files
 * @param title what it shows
 * @param how on what it was measured, in a sentence
 * @param axes what the directions are: one of a line, two of a plane
 */
public record LandscapeFiles(String name, String title, String how, List<String> axes, Landscape landscape) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** More than any has: a plane of 500 × 500. */
    private static final long LARGEST = 8 << 20;

    /** {@code <name>.csv}, {@code .json}, {@code .svg}, {@code .png} and {@code .html}. */
    public void write(Path directory) throws IOException {
        WholeFile.write(directory.resolve(name + ".csv"), landscape.csv());
        WholeFile.write(directory.resolve(name + ".json"), JSON.writeValueAsString(this));
        Chart chart = chart();
        WholeFile.write(
                directory.resolve(name + ".html"),
                Html.report(title, how, ChartHtml.of(List.of(chart)) + "<p>" + range() + "</p>\n"));
        ChartFiles.write(List.of(chart), directory);
    }

    /** For a report: all that were drawn of a run, by name. What cannot be read is left out. */
    public static String section(Path directory) {
        List<Chart> charts = new ArrayList<>();
        StringBuilder notes = new StringBuilder();
        for (Path file : in(directory)) {
            try {
                LandscapeFiles files =
                        Files.size(file) > LARGEST ? null : JSON.readValue(file.toFile(), LandscapeFiles.class);
                if (files != null && files.isWhole()) {
                    charts.add(files.chart());
                    notes.append(files.note());
                }
            } catch (IOException e) {
                // It can be drawn again.
            }
        }
        return charts.isEmpty() ? "" : Html.section("Loss landscapes", ChartHtml.of(charts) + notes);
    }

    private static List<Path> in(Path directory) {
        try (var files = Files.newDirectoryStream(directory, "landscape-*.json")) {
            List<Path> found = new ArrayList<>();
            files.forEach(found::add);
            Collections.sort(found);
            return found;
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
    }

    private boolean isWhole() {
        return title != null
                && how != null
                && landscape != null
                && axes != null
                && landscape.up() != null
                && landscape.across() != null
                && landscape.losses() != null
                && axes.size() >= Math.min(landscape.up().length, 2)
                && landscape.losses().length == landscape.up().length
                && Arrays.stream(landscape.losses())
                        .allMatch(row -> row != null && row.length == landscape.across().length);
    }

    private Chart chart() {
        if (landscape.up().length > 1) {
            List<Chart.Series> series = new ArrayList<>(Contours.of(landscape));
            series.add(new Chart.Series("the network", Style.of(0), List.of(Chart.Point.at(0, 0))));
            return chart(axes.get(1), Chart.Kind.CONTOURS, Chart.Scale.LINEAR, series);
        }
        List<Chart.Point> points = new ArrayList<>();
        for (int i = 0; i < landscape.across().length; i++) {
            double loss = landscape.losses()[0][i];
            double known = Double.isFinite(loss) ? loss : Double.NaN;
            points.add(Chart.Point.at(landscape.across()[i], known));
        }
        return chart(
                "Loss",
                Chart.Kind.LINES,
                Chart.Scale.LOGARITHMIC_IF_WIDE,
                List.of(new Chart.Series("loss", Style.of(1), points)));
    }

    private Chart chart(String y, Chart.Kind kind, Chart.Scale scale, List<Chart.Series> series) {
        return new Chart(name, title, axes.get(0), y, kind, scale, series, NumberText::significant);
    }

    private String note() {
        return "<p class=\"note\">" + Html.escape(axes.get(0) + ": " + how + " " + range()) + "</p>\n";
    }

    private String range() {
        double[] range = landscape.range();
        return "The lowest loss of all points is %s, the highest that is finite %s."
                .formatted(NumberText.significant(range[0]), NumberText.significant(range[1]));
    }
}
