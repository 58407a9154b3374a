package io.polder.study;

import io.polder.files.WholeFile;
import io.polder.run.StepProfile;
import io.polder.run.StepProfile.Part;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartFiles;
import io.polder.study.page.Style;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where the time of a recipe goes, for people and programs: a table, a file of numbers and a figure.
 *
 * @param name of the recipe
 */
public record StepProfileFiles(String name, StepProfile found) {
    /** For people. */
    public String text() {
        if (found.steps().isEmpty()) {
            return name + ": no step was timed, so there is nothing to say.\n";
        }
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: a step takes %s, an epoch %s (means over %d steps).%n%n",
                name,
                milliseconds(found.step()),
                NumberText.duration(found.epoch()),
                found.steps().size()));
        text.append(row("", "a step", "an epoch", "share"));
        for (Part part : Part.values()) {
            double seconds = found.mean(part);
            text.append(row(
                    part.label(),
                    milliseconds(seconds),
                    seconds(found.stepsPerEpoch() * seconds),
                    share(found.stepsPerEpoch() * seconds)));
        }
        return text.append(row("evaluation", "", seconds(found.evaluationOfEpoch()), share(found.evaluationOfEpoch())))
                .toString();
    }

    private static String row(String what, String step, String epoch, String share) {
        return String.format(Locale.ROOT, "%-44s %12s %12s %7s", what, step, epoch, share)
                        .stripTrailing()
                + "\n";
    }

    private static String milliseconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f ms", 1000 * seconds);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    private String share(double seconds) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * seconds / found.epoch());
    }

    /** {@code profile.csv}, {@code .svg} and {@code .png}. */
    public void write(Path directory) throws IOException {
        StringBuilder csv = new StringBuilder("step");
        Arrays.stream(Part.values()).forEach(part -> csv.append(',').append(word(part)));
        csv.append('\n');
        for (int step = 0; step < found.steps().size(); step++) {
            csv.append(step);
            for (Part part : Part.values()) {
                csv.append(',').append(found.steps().get(step).get(part));
            }
            csv.append('\n');
        }
        WholeFile.write(directory.resolve("profile.csv"), csv.toString());
        if (found.steps().isEmpty()) {
            return;
        }
        List<Chart.Series> series = new ArrayList<>();
        for (Part part : Part.values()) {
            series.add(series(part));
        }
        var chart = new Chart(
                "profile",
                "Where a step of " + name + " takes its time",
                "Step",
                "Milliseconds",
                Chart.Kind.LINES,
                Chart.Scale.FROM_ZERO,
                series,
                NumberText::significant);
        ChartFiles.write(List.of(chart), directory);
    }

    private Chart.Series series(Part part) {
        List<Chart.Point> points = new ArrayList<>();
        for (int step = 0; step < found.steps().size(); step++) {
            points.add(Chart.Point.at(step + 1, 1000 * found.steps().get(step).get(part)));
        }
        return new Chart.Series(part.label(), Style.of(part.ordinal() + 1), points);
    }

    private static String word(Part part) {
        return part.name().toLowerCase(Locale.ROOT);
    }

    /** For programs, in seconds. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("steps", found.steps().size());
        fields.put("stepsPerEpoch", found.stepsPerEpoch());
        fields.put("evaluateEvery", found.evaluateEvery());
        fields.put("step", found.step());
        fields.put("evaluation", found.evaluation());
        fields.put("epoch", found.epoch());
        fields.put(
                "parts",
                Arrays.stream(Part.values())
                        .collect(Collectors.toMap(
                                StepProfileFiles::word, found::mean, (one, other) -> one, LinkedHashMap::new)));
        return fields;
    }
}
