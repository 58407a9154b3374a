package io.polder.study.results;

import static io.polder.study.page.Html.escape;

import io.polder.files.WholeFile;
import io.polder.study.NumberText;
import io.polder.study.page.Chart;
import io.polder.study.page.ChartFiles;
import io.polder.study.page.ChartHtml;
import io.polder.study.page.Html;
import io.polder.train.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code report.html}: a study on one page that needs nothing but itself, and its figures as files beside it. What the study says, its
 * table, figures and search are in the page; the list of trials, each with its recipe and curve, is built by the script from data in
 * the page when it is looked at. The content policy lets the page run its own script and style, by their hashes, and fetch nothing.
 */
public final class StudyReport {
    private StudyReport() {}

    /** Writes the page and, into a directory beside it, each figure as SVG and PNG. */
    public static void write(StudyResult result, Path file, Path figures) throws IOException {
        List<Chart> charts = StudyCharts.of(result);
        WholeFile.write(file, html(result, charts));
        ChartFiles.write(charts, figures);
    }

    /** Without figures as files. */
    static void write(StudyResult result, Path file) throws IOException {
        WholeFile.write(file, html(result, StudyCharts.of(result)));
    }

    static String html(StudyResult result, List<Chart> charts) {
        String style = Html.resource(StudyReport.class, "study.css");
        String script = Html.resource(StudyReport.class, "study.js");
        StudyTable table = StudyTable.of(result);
        List<String> notes = new ArrayList<>(table.notes());
        if (!table.bestNote().isEmpty()) {
            notes.add(table.bestNote());
        }
        String content = String.join(
                "",
                result.isComplete()
                        ? ""
                        : each("<p class=\"note midway\">", List.of(Findings.progress(result)), "</p>\n"),
                Verdicts.of(result).stream().map(Verdicts::html).collect(Collectors.joining()),
                table.html(),
                each("<p class=\"note\">", notes, "</p>\n"),
                tests(result),
                figures(charts),
                stages(result),
                trials(result),
                "<script type=\"application/json\" id=\"data\">",
                TrialsForScript.json(result),
                "</script>\n");
        return Html.page(result.title(), style, script, content);
    }

    private static String tests(StudyResult result) {
        List<MethodTest> tests = MethodTest.of(result);
        if (tests.isEmpty()) {
            return "";
        }
        Figure judge = result.figures().judge();
        boolean variants = tests.stream().anyMatch(test -> !test.row().variant().isEmpty());
        StringBuilder rows = new StringBuilder();
        for (MethodTest test : tests) {
            boolean interval = test.test().measuresNoise();
            rows.append("<tr>")
                    .append(variants ? "<th scope=\"row\">" + escape(test.row().variant()) + "</th>" : "")
                    .append(cells(List.of(named(test.row()), named(test.other())), " class=\"words\""))
                    .append(cells(
                            List.of(
                                    String.valueOf(test.seeds().size()),
                                    NumberText.difference(judge, test.test().meanDifference()),
                                    interval
                                            ? NumberText.difference(
                                                            judge, test.test().low()) + " to "
                                                    + NumberText.difference(
                                                            judge, test.test().high())
                                            : NumberText.UNKNOWN,
                                    interval ? MethodTest.pNumber(test.test().p()) : NumberText.UNKNOWN,
                                    interval ? MethodTest.pNumber(test.corrected()) : NumberText.UNKNOWN,
                                    MethodTest.pNumber(test.ranks()),
                                    test.claimInAWord()),
                            ""))
                    .append("</tr>\n");
        }
        String headings = (variants ? "<th scope=\"col\">Variant</th>" : "")
                + "<th scope=\"col\" class=\"words\">Method</th><th scope=\"col\" class=\"words\">against</th>"
                + Stream.of(
                                "Seeds",
                                "Difference" + NumberText.unit(judge, ", points"),
                                "95 % interval",
                                "p",
                                "p, corrected",
                                "p, ranks",
                                NumberText.upperFirst(judge.label()) + " is")
                        .map(heading -> "<th scope=\"col\">" + escape(heading) + "</th>")
                        .collect(Collectors.joining());
        return "<section>\n<details><summary>Tests over seeds, and in words</summary>\n"
                + "<div class=\"scroll\"><table>\n<thead><tr>" + headings + "</tr></thead>\n<tbody>\n" + rows
                + "</tbody>\n</table></div>\n<p class=\"note\">Paired t-tests over the seeds that both were trained to the end"
                + " with; a difference below zero is a lower " + escape(judge.label())
                + ". Claims rest on p after Holm's correction for all "
                + tests.size()
                + " tests of the study, below 0.05. The last p is of Wilcoxon's signed-rank test, as a check,"
                + " from " + SignedRanks.LEAST_PAIRS + " seeds on.</p>\n"
                + each("<p class=\"note\">", Findings.of(result), "</p>\n") + "</details>\n</section>\n";
    }

    private static String named(ResultRow row) {
        String settings = Settings.words(row.settings());
        return row.label() + (settings.isEmpty() ? "" : ", " + settings);
    }

    private static String cells(List<String> texts, String attribute) {
        return texts.stream()
                .map(text -> "<td" + attribute + ">" + escape(text).replace(" = ", "&nbsp;=&nbsp;") + "</td>")
                .collect(Collectors.joining());
    }

    private static String figures(List<Chart> charts) {
        return charts.isEmpty()
                ? ""
                : ChartHtml.of(charts)
                        + "<p class=\"note\">Curves over epochs are means over seeds, in bands from the lowest seed to the"
                        + " highest; bars elsewhere are one standard deviation either way.</p>\n";
    }

    private static String stages(StudyResult result) {
        if (result.stages().isEmpty()) {
            return "";
        }
        Figure judge = result.figures().judge();
        StringBuilder text = new StringBuilder(
                "<section id=\"search\">\n<h2>The search</h2>\n<p class=\"note\">Each stage is" + " chosen by the mean "
                        + escape(judge.label()) + " on the validation split; no test image has a part in it.</p>\n");
        for (SearchStage stage : result.stages()) {
            text.append("<details class=\"stage\"><summary>")
                    .append(escape(StudyText.stageInWords(stage)))
                    .append("</summary>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Candidate</th>"
                            + "<th scope=\"col\">Seeds</th><th scope=\"col\">"
                            + escape(NumberText.heading("Validation", judge))
                            + "</th></tr></thead>\n<tbody>\n");
            for (Candidate candidate : stage.candidates()) {
                String settings = Settings.words(candidate.settings());
                boolean lost = candidate.isComplete() && candidate.isLost();
                text.append(candidate.chosen() ? "<tr class=\"chosen\">" : "<tr>")
                        .append("<th scope=\"row\">")
                        .append(settings.isEmpty() ? "as in the recipe" : escape(settings))
                        .append(candidate.chosen() ? " <span class=\"mark\">chosen</span>" : "")
                        .append("</th>")
                        .append(cells(
                                List.of(
                                        candidate.outcomes().size() + " of " + candidate.seeds(),
                                        lost ? "lost" : NumberText.value(candidate.judge(), candidate.mean())),
                                ""))
                        .append("</tr>\n");
            }
            text.append("</tbody>\n</table></div>\n</details>\n");
        }
        return text.append("</section>\n").toString();
    }

    private static String trials(StudyResult result) {
        int count = result.outcomes().size();
        if (count == 0) {
            return "";
        }
        return """
                <section id="trials">
                <h2>Trials</h2>
                <noscript><p class="note">The list of trials is built by the page's script, which is switched off here.</p></noscript>
                <div class="filters" hidden>
                <input type="search" id="filter" placeholder="Filter: words of a method, setting, seed, machine …" aria-label="Filter trials">
                <select id="status" aria-label="Status"><option value="">any end</option><option value="0">done</option><option value="1">diverged</option><option value="2">failed</option></select>
                <select id="split" aria-label="Judged by"><option value="">any split</option><option value="0">test</option><option value="1">validation</option></select>
                <output id="count" aria-live="polite"></output>
                </div>
                <div class="scroll"><table id="list" hidden>
                <thead><tr></tr></thead>
                <tbody></tbody>
                </table></div>
                <button id="more" type="button" hidden></button>
                </section>
                """;
    }

    private static String each(String before, List<String> texts, String after) {
        return texts.stream()
                .map(text -> before + escape(text).replace(" %", "&nbsp;%").replace(" = ", "&nbsp;=&nbsp;") + after)
                .collect(Collectors.joining());
    }
}
