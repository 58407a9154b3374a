package io.polder.study;

import static io.polder.study.page.Html.escape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartHtml;
import io.polder.study.page.Html;
import io.polder.study.page.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What {@code polder evaluate} found of a run, in its report: the error of each class, what its images were taken for, whether the network is
 * as sure as it should be, and the pictures it was surest of and wrong. From the files that it leaves in the run's directory; what cannot
 * be read is left out.
 */
final class ExaminationSection {
    /** What a matrix on a page can show; of more classes those with the most errors are listed. */
    private static final int MOST_IN_MATRIX = 20;

    private static final int SHADES = 5;
    private static final long LARGEST = 16 << 20;

    private record OfClass(String name, long images, double error) {}

    private final List<OfClass> classes = new ArrayList<>();
    private final JsonNode found;

    private ExaminationSection(JsonNode found) {
        this.found = found;
        for (JsonNode each : found.path("classes")) {
            classes.add(new OfClass(
                    each.path("class").asText(),
                    each.path("images").asLong(),
                    each.path("error").asDouble(Double.NaN)));
        }
    }

    static String of(Path runDirectory) {
        try {
            byte[] json = read(runDirectory.resolve("examination.json"));
            byte[] sheet = read(runDirectory.resolve("wrong.png"));
            if (json.length == 0) {
                return "";
            }
            var section = new ExaminationSection(new ObjectMapper().readTree(json));
            return section.classes.isEmpty() ? "" : section.html(sheet);
        } catch (IOException e) {
            return ""; // it can be examined again
        }
    }

    private static byte[] read(Path file) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) <= LARGEST ? Files.readAllBytes(file) : new byte[0];
    }

    private String html(byte[] sheet) {
        String on = "The " + found.path("checkpoint").asText() + " checkpoint, after "
                + NumberText.whole(found.path("step").asDouble()) + " steps, on "
                + NumberText.whole(found.path("images").asDouble()) + " "
                + found.path("split").asText() + " images.";
        String pictures = sheet.length == 0
                ? ""
                : "<p class=\"note\">The pictures that the network was surest of and wrong: some will be hard, some hardly what they are said to be.</p>\n"
                        + "<img class=\"sheet\" alt=\"The pictures that the network was surest of and wrong\" src=\"data:image/png;base64,"
                        + Base64.getEncoder().encodeToString(sheet) + "\">\n";
        return Html.section(
                "Where it errs",
                "<p class=\"note\">" + escape(on) + "</p>\n" + (classes.size() <= MOST_IN_MATRIX ? matrix() : worst())
                        + calibration() + pictures);
    }

    private long count(int label, int guess) {
        return found.path("confusion").path(label).path(guess).asLong();
    }

    private String matrix() {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table class=\"confusion\">\n<thead><tr>"
                + "<th scope=\"col\">Class</th><th scope=\"col\">Images</th><th scope=\"col\">Error, %</th>");
        classes.forEach(each -> html.append("<th scope=\"col\">" + escape(each.name()) + "</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        for (int label = 0; label < classes.size(); label++) {
            html.append("<tr>").append(named(classes.get(label)));
            for (int guess = 0; guess < classes.size(); guess++) {
                long count = count(label, guess);
                double share = (double) count / Math.max(1, classes.get(label).images());
                // The more of a class, the darker: those that are right in another colour.
                String kind = label == guess ? "right" : "wrong";
                String shade = count == 0
                        ? ""
                        : " class=\"" + kind + " s" + (int) Math.ceil(SHADES * Math.min(1, share)) + "\"";
                html.append("<td" + shade + ">" + count + "</td>");
            }
            html.append("</tr>\n");
        }
        return html.append(
                        "</tbody>\n</table></div>\n<p class=\"note\">A row is a class, a column what its images were taken for.</p>\n")
                .toString();
    }

    private String worst() {
        StringBuilder html = new StringBuilder(
                "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Class</th>"
                        + "<th scope=\"col\">Images</th><th scope=\"col\">Error, %</th><th scope=\"col\">Mostly taken for</th></tr></thead>\n<tbody>\n");
        IntStream.range(0, classes.size())
                .filter(label -> classes.get(label).error() > 0)
                .boxed()
                .sorted(Comparator.comparingDouble(label -> -classes.get(label).error()))
                .limit(MOST_IN_MATRIX)
                .forEach(label -> {
                    int other = IntStream.range(0, classes.size())
                            .filter(guess -> guess != label)
                            .boxed()
                            .max(Comparator.comparingLong(guess -> count(label, guess)))
                            .orElseThrow();
                    html.append("<tr>" + named(classes.get(label)) + "<td>"
                            + escape(classes.get(other).name()) + " (" + count(label, other) + ")</td></tr>\n");
                });
        return html.append("</tbody>\n</table></div>\n<p class=\"note\">The classes with the most errors, of "
                        + NumberText.whole(classes.size()) + ".</p>\n")
                .toString();
    }

    private static String named(OfClass each) {
        return "<th scope=\"row\">" + escape(each.name()) + "</th><td>" + NumberText.whole(each.images()) + "</td><td>"
                + NumberText.fixed(100 * each.error(), 2) + "</td>";
    }

    private static boolean isShare(double percent) {
        return percent >= 0 && percent <= 100;
    }

    /** The reliability diagram: of a network that is as sure as it should be the points are on the line. */
    private String calibration() {
        List<Chart.Point> points = new ArrayList<>();
        for (JsonNode bin : found.path("reliability")) {
            double right = 100 * bin.path("right").asDouble(Double.NaN);
            double confidence = Math.rint(1000 * bin.path("confidence").asDouble(Double.NaN)) / 10;
            if (bin.path("images").asLong() > 0 && isShare(confidence) && isShare(right)) {
                points.add(Chart.Point.at(confidence, right));
            }
        }
        if (points.isEmpty()) {
            return "";
        }
        List<Chart.Point> line = List.of(Chart.Point.at(0, 0), Chart.Point.at(100, 100));
        var chart = new Chart(
                "reliability",
                "How sure it is, and how often right",
                "Confidence, %",
                "Right, %",
                Chart.Kind.LINES,
                Chart.Scale.FROM_ZERO,
                List.of(
                        new Chart.Series("as sure as right", Style.afterBaseline(0), line),
                        new Chart.Series("this network", Style.of(1), points)),
                value -> NumberText.fixed(value, 1));
        return ChartHtml.of(List.of(chart))
                + "<p class=\"note\">Images by confidence, in bins of the same width: below the line the network is surer"
                + " than it should be. The expected calibration error, the distance from the line over all images, is "
                + NumberText.fixed(100 * found.path("calibrationError").asDouble(Double.NaN), 2) + "&nbsp;%.</p>\n";
    }
}
