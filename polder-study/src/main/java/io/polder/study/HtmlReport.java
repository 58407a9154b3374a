package io.polder.study;

import static io.polder.study.page.Html.escape;

import io.polder.files.WholeFile;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartHtml;
import io.polder.study.page.Html;
import io.polder.study.page.Style;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * {@code report.html}: a comparison on one page that needs nothing but itself, its style ({@code report.css}) and its
 * little script ({@code report.js}) included. The page is complete without the script.
 */
public final class HtmlReport {
    private HtmlReport() {}

    public static void write(Comparison comparison, Path file) throws IOException {
        WholeFile.write(file, html(comparison));
    }

    static String html(Comparison comparison) {
        String content = """
                %s<div class="charts">
                %s%s</div>
                <p class="note">Lines are means over seeds, bands reach from the lowest seed to the highest.</p>
                %s<div class="facts">
                %s%s</div>
                <section>
                <h2>Command</h2>
                <pre><code>%s</code></pre>
                </section>
                """.formatted(
                        outcome(comparison),
                        ChartHtml.of(Chart.course(
                                "Test error, %",
                                Chart.Scale.LINEAR,
                                curves(comparison, epoch -> 100 * epoch.testError()),
                                percent -> NumberText.fixed(percent, 2))),
                        ChartHtml.of(Chart.course(
                                "Gradient norm",
                                Chart.Scale.LOGARITHMIC_IF_WIDE,
                                curves(comparison, EpochRecord::gradientNorm),
                                NumberText::significant)),
                        errorsBySeed(comparison),
                        Html.facts("Settings", settings(comparison)),
                        Html.facts("Run", run(comparison)),
                        each("<span>%s</span> ", List.of(comparison.command().split(" "))));
        return Html.report(comparison.title(), Verdict.of(comparison), content);
    }

    /** A curve for each method, all with a point at each epoch at which any trial has the quantity. */
    private static List<Chart.Series> curves(Comparison comparison, ToDoubleFunction<EpochRecord> quantity) {
        List<Integer> epochs = comparison.trials().stream()
                .flatMap(trial -> trial.epochs().stream())
                .filter(record -> Double.isFinite(quantity.applyAsDouble(record)))
                .map(EpochRecord::epoch)
                .distinct()
                .sorted()
                .toList();
        List<Chart.Series> curves = new ArrayList<>();
        for (Method method : comparison.methods()) {
            List<EpochRecord> records = comparison.trialsOf(method).stream()
                    .flatMap(trial -> trial.epochs().stream())
                    .toList();
            List<Chart.Point> points = new ArrayList<>();
            for (int epoch : epochs) {
                points.add(Chart.Point.of(
                        epoch, records.stream().filter(r -> r.epoch() == epoch).mapToDouble(quantity)));
            }
            curves.add(new Chart.Series(method.label(), Style.afterBaseline(curves.size()), points));
        }
        return curves;
    }

    private static String outcome(Comparison comparison) {
        StringBuilder rows = new StringBuilder();
        int method = 0;
        for (ResultsTable.Row row : ResultsTable.rows(comparison)) {
            rows.append("""
                    <tr%s><th scope="row" class="%s">%s<small>%s</small></th><td>%s</td><td>%s</td><td>%s</td></tr>
                    """.formatted(
                            row.best() ? " class=\"best\"" : "",
                            Style.afterBaseline(method++).css(),
                            escape(row.method()),
                            // Kept together: "α = 0.6".
                            escape(row.settings()).replace(" = ", "&nbsp;=&nbsp;"),
                            row.testError(),
                            row.gradientNorm(),
                            row.cost()));
        }
        return """
                <div class="scroll"><table class="outcome">
                <thead><tr><th scope="col">%s</th><th scope="col">%s</th><th scope="col">%s</th><th scope="col">%s</th></tr></thead>
                <tbody>
                %s</tbody>
                </table></div>
                <p class="note">%s</p>
                """.formatted(
                        ResultsTable.HEADINGS.method(),
                        ResultsTable.HEADINGS.testError(),
                        ResultsTable.HEADINGS.gradientNorm(),
                        ResultsTable.HEADINGS.cost(),
                        rows,
                        note(comparison));
    }

    private static String note(Comparison comparison) {
        int seeds = comparison.seeds().size();
        return "At the last epoch, "
                + (seeds == 1 ? "with one seed" : "mean ± standard deviation over " + seeds + " seeds")
                + ". The gradient norm is that of the batch gradient, averaged over the epoch."
                + " Cost is the time of training relative to the first method."
                + (comparison.methods().size() == 1
                        ? ""
                        : " Bold is the lowest mean, which is no claim by itself: claims rest on paired t-tests over"
                                + " the seeds, one for each pair of methods.");
    }

    private static String errorsBySeed(Comparison comparison) {
        StringBuilder rows = new StringBuilder();
        for (int seed : comparison.seeds()) {
            List<String> errors = comparison.methods().stream()
                    .flatMap(method -> comparison.trialsOf(method).stream())
                    .filter(trial -> trial.seed() == seed)
                    .map(trial -> NumberText.percent(trial.finalTestError()))
                    .toList();
            rows.append("<tr><th scope=\"row\">%d</th>%s</tr>\n".formatted(seed, each("<td>%s</td>", errors)));
        }
        List<String> labels = comparison.methods().stream().map(Method::label).toList();
        return """
                <section>
                <h2>Test error by seed, %%</h2>
                <div class="scroll"><table>
                <thead><tr><th scope="col">Seed</th>%s</tr></thead>
                <tbody>
                %s</tbody>
                </table></div>
                </section>
                """.formatted(each("<th scope=\"col\">%s</th>", labels), rows);
    }

    private static String each(String element, List<String> texts) {
        return texts.stream().map(text -> element.formatted(escape(text))).collect(Collectors.joining());
    }

    private static Map<String, String> settings(Comparison comparison) {
        Map<String, String> settings = new LinkedHashMap<>(comparison.settings());
        for (Method method : comparison.methods()) {
            if (!method.settings().isBlank()) {
                settings.put(method.label(), method.settings());
            }
        }
        settings.put("Seeds", comparison.seeds().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        return settings;
    }

    private static Map<String, String> run(Comparison comparison) {
        Map<String, String> run = new LinkedHashMap<>();
        run.put("Polder", comparison.version());
        run.put("Started", Html.date(comparison.started()));
        run.put("Took", NumberText.duration(comparison.seconds()));
        run.putAll(comparison.environment());
        return run;
    }
}
