package io.polder.study.results;

import static io.polder.study.page.Html.escape;

import io.polder.study.NumberText;
import io.polder.text.Wrapped;
import io.polder.train.Figure;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a study claims and what it does not: a short line for each comparison of a variant, its difference with its sign.
 *
 * @param tests empty where they are too many, and counted
 * @param remarks what the lines do not say: sentences
 */
record Verdicts(String variant, List<MethodTest> tests, List<String> remarks) {
    /** In a sweep the claims are counted: dozens of lines say nothing. */
    static final int MOST_LINES = 8;

    private static final String GAP = "  ";

    /** In the order of the variants; a single one without tests for a study that has nothing to compare. */
    static List<Verdicts> of(StudyResult result) {
        List<MethodTest> tests = MethodTest.of(result);
        List<Verdicts> all = new ArrayList<>();
        for (String variant : Findings.variants(result)) {
            List<MethodTest> own = tests.stream()
                    .filter(test -> test.row().variant().equals(variant))
                    .toList();
            if (!own.isEmpty()) {
                boolean counted = own.size() > MOST_LINES;
                List<String> remarks = new ArrayList<>(counted ? List.of(Findings.counted(own)) : remarks(own));
                Findings.RelativeGainOfRow.of(result, variant).forEach(gain -> remarks.add(gain.sentence()));
                all.add(new Verdicts(variant, counted ? List.of() : own, remarks));
            }
        }
        return all.isEmpty() ? List.of(new Verdicts("", List.of(), Findings.of(result))) : all;
    }

    /** Why there is no claim, where p does not say so. */
    private static List<String> remarks(List<MethodTest> tests) {
        boolean settingsToo = Findings.severalOfOneMethod(tests);
        return tests.stream()
                .filter(test -> !test.test().measuresNoise() || test.lostTheClaim())
                .map(test -> test.seeds().size() == 1
                        ? "One seed cannot tell a difference from noise."
                        : NumberText.upperFirst(test.sentence(settingsToo)))
                .distinct()
                .toList();
    }

    /** What p is, and what a claim takes; empty where no line has one. */
    static String note(StudyResult result) {
        List<MethodTest> tests = MethodTest.of(result);
        Figure judge = result.figures().judge();
        return of(result).stream().allMatch(it -> it.tests().isEmpty())
                ? ""
                : "Below zero is " + (judge.better() == Figure.Better.LOWER ? "better" : "worse")
                        + ": the first of the two has the lower " + judge.label() + ". p is corrected for the "
                        + Findings.plural(tests.size(), "comparison") + " of the study; a claim takes less than "
                        + MethodTest.LEVEL + ".";
    }

    /** "Difference in test error, points (3 seeds)". */
    private String heading() {
        Figure judge = tests.get(0).judge();
        IntSummaryStatistics seeds =
                tests.stream().mapToInt(test -> test.seeds().size()).summaryStatistics();
        String range = seeds.getMin() == seeds.getMax() ? "" : seeds.getMin() + " to ";
        return "Difference in test " + judge.label() + NumberText.unit(judge, ", points") + " (" + range
                + Findings.plural(seeds.getMax(), "seed") + ")";
    }

    private List<Line> lines() {
        boolean settingsToo = Findings.severalOfOneMethod(tests);
        return tests.stream().map(test -> Line.of(test, settingsToo)).toList();
    }

    private record Line(String difference, String who, String interval, String p, String claim) {
        static Line of(MethodTest test, boolean settingsToo) {
            boolean noise = test.test().measuresNoise();
            String difference = NumberText.difference(test.judge(), test.test().meanDifference());
            return new Line(
                    test.test().meanDifference() > 0 ? "+" + difference : difference,
                    test.who(settingsToo),
                    noise
                            ? "["
                                    + NumberText.difference(
                                            test.judge(), test.test().low()) + ", "
                                    + NumberText.difference(
                                            test.judge(), test.test().high()) + "]"
                            : NumberText.UNKNOWN,
                    noise ? MethodTest.pNumber(test.corrected()) : NumberText.UNKNOWN,
                    test.claimInAWord());
        }
    }

    /** For a terminal: a line for each, or two where their names take more than one. */
    String text() {
        StringBuilder text = new StringBuilder(variant.isEmpty() ? "" : variant + "\n");
        if (!tests.isEmpty()) {
            List<Line> lines = lines();
            int difference = widest(lines.stream().map(Line::difference));
            int interval =
                    Math.max("95 % interval".length(), widest(lines.stream().map(Line::interval)));
            int p = widest(lines.stream().map(Line::p));
            int claim = widest(lines.stream().map(Line::claim));
            int figures = interval + GAP.length() + p + GAP.length() + claim;
            int who = Math.max(
                    heading().length() - difference - GAP.length(),
                    widest(lines.stream().map(Line::who)));
            boolean stacked = difference + who + figures + 2 * GAP.length() > Wrapped.COLUMNS;
            int first = stacked ? 0 : difference + GAP.length() + who + GAP.length();
            String headings = left("95 % interval", interval) + GAP + right("p", p);
            text.append(stacked ? heading() + "\n" + " ".repeat(difference + GAP.length()) : left(heading(), first))
                    .append(headings)
                    .append('\n');
            for (Line line : lines) {
                String rest = left(line.interval(), interval) + GAP + right(line.p(), p) + GAP + line.claim();
                String name = right(line.difference(), difference) + GAP + line.who();
                text.append(
                                stacked
                                        ? name + "\n" + " ".repeat(difference + GAP.length()) + rest
                                        : left(name, first) + rest)
                        .append('\n');
            }
        }
        remarks.forEach(remark -> text.append(Wrapped.text(remark)));
        return text.toString();
    }

    String markdown() {
        List<String> items = new ArrayList<>();
        lines().forEach(line -> items.add(StudyTable.markdown(line.difference() + GAP + line.who() + GAP
                + line.interval() + ", p " + (line.p().startsWith("<") ? "" : "= ") + line.p() + ": " + line.claim())));
        remarks.forEach(remark -> items.add(StudyTable.markdown(remark)));
        String heading = (variant.isEmpty() ? "" : variant + ". ") + (tests.isEmpty() ? "" : heading() + ":");
        return (heading.isBlank() ? "" : StudyTable.markdown(heading.strip()) + "\n\n")
                + items.stream().map(item -> "- " + item.replace("  ", " ")).collect(Collectors.joining("\n"));
    }

    String html() {
        StringBuilder html = new StringBuilder();
        if (!variant.isEmpty()) {
            html.append("<h2>").append(escape(variant)).append("</h2>\n");
        }
        if (!tests.isEmpty()) {
            html.append("<p class=\"note\">" + escape(heading()) + ", and its 95&nbsp;% interval</p>\n"
                    + "<ul class=\"verdicts\">\n");
            for (Line line : lines()) {
                boolean claims = !line.claim().equals(MethodTest.NO_CLAIM);
                html.append("<li%s><b>%s</b> <span>%s</span> <small>%s</small> <em>%s</em></li>\n"
                        .formatted(
                                claims ? " class=\"claim\"" : "",
                                escape(line.difference()),
                                escape(line.who()).replace(" = ", "&nbsp;=&nbsp;"),
                                escape(line.interval()),
                                escape(line.claim())));
            }
            html.append("</ul>\n");
        }
        remarks.forEach(remark -> html.append("<p class=\"note\">")
                .append(escape(remark).replace(" %", "&nbsp;%"))
                .append("</p>\n"));
        return html.toString();
    }

    private static int widest(Stream<String> texts) {
        return texts.mapToInt(String::length).max().orElse(0);
    }

    private static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
