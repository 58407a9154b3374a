package io.polder.study;

import io.polder.files.WholeFile;
import io.polder.run.RateRange;
import io.polder.run.RateRange.Point;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartFiles;
import io.polder.study.page.Style;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A learning-rate range test for people and programs: what it came to in words, a file of numbers and a figure.
 *
 * @param name of the recipe
 * @param base the recipe's own learning rate
 */
public record RateRangeFiles(String name, double base, RateRange found) {
    /** What it came to, with the rule of what is suggested. */
    public String text() {
        var lowest = found.lowest();
        if (lowest.isEmpty()) {
            return name + ": no step was done, so there is nothing to say.\n";
        }
        String first = name + ": "
                + switch (found.end()) {
                    case WHOLE ->
                        "the loss did not diverge up to a learning rate of "
                                + NumberText.significant(last().learningRate());
                    case DIVERGED ->
                        "the loss diverged at a learning rate of " + NumberText.significant(last().learningRate());
                    case STOPPED -> "stopped at a learning rate of " + NumberText.significant(last().learningRate());
                }
                + "; its smoothed value was lowest, "
                + NumberText.significant(lowest.get().smoothed()) + ", at "
                + NumberText.significant(lowest.get().learningRate()) + ".\n";
        String suggestion = found.suggestion()
                .map(rate -> "Suggested: --lr " + NumberText.significant(rate) + ", a tenth of that (the recipe has "
                        + NumberText.significant(base) + ").\n")
                .orElse(
                        found.isTooShort()
                                ? "No suggestion: the loss was still falling; give a larger --to.\n"
                                : "No suggestion: the loss did not fall in these steps; give a smaller --from, or more --steps.\n");
        return first + suggestion;
    }

    private Point last() {
        return found.points().get(found.points().size() - 1);
    }

    /** {@code lr.csv}, {@code .svg} and {@code .png}. */
    public void write(Path directory) throws IOException {
        StringBuilder csv = new StringBuilder("step,learningRate,loss,smoothed\n");
        found.points()
                .forEach(point -> csv.append(point.step())
                        .append(',')
                        .append(point.learningRate())
                        .append(',')
                        .append(point.loss())
                        .append(',')
                        .append(point.smoothed())
                        .append('\n'));
        WholeFile.write(directory.resolve("lr.csv"), csv.toString());
        if (found.points().isEmpty()) {
            return;
        }
        var chart = new Chart(
                "lr",
                "Learning-rate range test of " + name,
                "Logarithm of the learning rate to base 10",
                "Training loss",
                Chart.Kind.LINES,
                Chart.Scale.LOGARITHMIC_IF_WIDE,
                List.of(series("loss of a batch", 2, Point::loss), series("smoothed", 1, Point::smoothed)),
                NumberText::significant);
        ChartFiles.write(List.of(chart), directory);
    }

    private Chart.Series series(String label, int colour, ToDoubleFunction<Point> loss) {
        return new Chart.Series(
                label,
                Style.of(colour),
                found.points().stream()
                        .map(point -> Chart.Point.at(Math.log10(point.learningRate()), loss.applyAsDouble(point)))
                        .toList());
    }

    /** For programs. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("base", base);
        fields.put("end", found.end().name().toLowerCase(Locale.ROOT));
        fields.put("suggestion", found.suggestion().orElse(null));
        fields.put("lowest", found.lowest().orElse(null));
        fields.put("points", found.points());
        return fields;
    }
}
