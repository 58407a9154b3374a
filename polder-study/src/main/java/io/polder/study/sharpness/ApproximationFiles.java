package io.polder.study.sharpness;

import io.polder.files.WholeFile;
import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.sharpness.Approximation;
import io.polder.sharpness.Approximation.Point;
import io.polder.study.NumberText;
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
 * The error of the finite difference over r: a table, a recommendation, a file of numbers and a figure.
 *
 * @param name of the network
 */
public record ApproximationFiles(String name, Approximation found, Recipe recipe) {
    /** For people. */
    public String text(String how) {
        StringBuilder text = new StringBuilder(
                name + ": error of (g2 − g1)/r against H·g1/‖g1‖, as a share of its length.\n" + how + "\n\n");
        text.append(String.format("%10s  %16s  %16s%n", "r", "single precision", "double precision"));
        for (Point point : found.points()) {
            text.append(String.format(
                            Locale.ROOT,
                            "%10s  %16s  %16s  %s%n",
                            NumberText.significant(point.r()),
                            NumberText.significant(point.single()),
                            NumberText.significant(point.exact()),
                            verdict(point))
                    .stripTrailing());
            text.append('\n');
        }
        return text.append('\n').append(recommendation()).append('\n').toString();
    }

    private static String verdict(Point point) {
        if (point.single() <= Approximation.GOOD) {
            return "";
        }
        return switch (point.cause()) {
            case ROUNDING -> "r too small: rounding";
            case CORNERS -> "corners of the loss";
            case TAYLOR -> "r too large: higher terms";
        };
    }

    /** Which r to take, and what is to be said of the recipe's. */
    public String recommendation() {
        List<Point> good = found.good();
        String limit = NumberText.significant(100 * Approximation.GOOD) + " %";
        String first = good.isEmpty()
                ? "No r brings the error down to " + limit + "; it is smallest, "
                        + NumberText.significant(100 * found.best().single()) + " %, at r = "
                        + NumberText.significant(found.best().r()) + "."
                : "The error is at most " + limit + " from r = "
                        + NumberText.significant(good.get(0).r()) + " to "
                        + NumberText.significant(good.get(good.size() - 1).r()) + ", and smallest at "
                        + NumberText.significant(found.best().r()) + ".";
        return first + ofRecipe() + ofCorners();
    }

    private String ofCorners() {
        boolean hasCorners = found.points().stream()
                .anyMatch(point -> point.single() > Approximation.GOOD && point.cause() == Approximation.Cause.CORNERS);
        return hasCorners
                ? " The loss has corners (of ReLU or max pooling): the difference sees what the gradient jumps by at those that r"
                        + " crosses, and the product, which lies between them, does not."
                : "";
    }

    private String ofRecipe() {
        if (!(recipe.scheme() instanceof SchemeRecipe.TwoPasses passes)) {
            return "";
        }
        double r = passes.r().from();
        Point nearest = found.points().stream()
                .reduce((a, b) -> Math.abs(Math.log(b.r() / r)) < Math.abs(Math.log(a.r() / r)) ? b : a)
                .orElseThrow();
        return " Near the recipe's r, which begins at " + NumberText.significant(r) + ", it is "
                + NumberText.significant(100 * nearest.single()) + " %.";
    }

    /** {@code approximation.csv}, {@code .svg} and {@code .png}. */
    public void write(Path directory) throws IOException {
        StringBuilder csv = new StringBuilder("r,errorSingle,errorDouble\n");
        found.points()
                .forEach(point -> csv.append(point.r())
                        .append(',')
                        .append(point.single())
                        .append(',')
                        .append(point.exact())
                        .append('\n'));
        WholeFile.write(directory.resolve("approximation.csv"), csv.toString());
        var chart = new Chart(
                "approximation",
                "Finite difference and exact product",
                "Logarithm of r to base 10",
                "Error of (g2 − g1)/r, as a share of H·g1/‖g1‖",
                Chart.Kind.LINES,
                Chart.Scale.LOGARITHMIC_IF_WIDE,
                List.of(series("single precision", 1, Point::single), series("double precision", 2, Point::exact)),
                NumberText::significant);
        ChartFiles.write(List.of(chart), directory);
    }

    private Chart.Series series(String label, int colour, ToDoubleFunction<Point> error) {
        return new Chart.Series(
                label,
                Style.of(colour),
                found.points().stream()
                        .map(point -> Chart.Point.at(Math.log10(point.r()), error.applyAsDouble(point)))
                        .toList());
    }

    /** For programs. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("gradientNorm", found.gradientNorm());
        fields.put("productNorm", found.productNorm());
        fields.put("errorOfSingleProduct", found.single());
        fields.put("best", found.best().r());
        fields.put("good", found.good().stream().map(Point::r).toList());
        fields.put("points", found.points());
        fields.put("recommendation", recommendation());
        return fields;
    }
}
