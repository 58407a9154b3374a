package io.polder.study.results;

import io.polder.study.NumberText;
import io.polder.study.trial.TrialOutcome.Status;
import io.polder.train.Figure;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The table for programs: one row a variant and method, shares in percent with all their digits, empty where unknown. */
final class StudyCsv {
    private static final List<String> TEST_HEADINGS =
            List.of("pairs", "difference", "low", "high", "p", "p_corrected", "p_signed_ranks", "claim");

    private StudyCsv() {}

    static String of(StudyResult result) {
        Map<ResultRow, Map<String, MethodTest>> tests = new IdentityHashMap<>();
        for (MethodTest test : MethodTest.of(result)) {
            tests.computeIfAbsent(test.row(), row -> new HashMap<>())
                    .put(test.other().method(), test);
        }
        List<Figure> figures = new ArrayList<>(List.of(result.figures().judge()));
        figures.addAll(StudyTable.others(result.figures()));
        List<String> headings =
                new ArrayList<>(List.of("variant", "method", "settings", "seeds", "done", "diverged", "failed"));
        figures.forEach(figure -> headings.addAll(spread(inSnakeCase(figure.name()))));
        headings.addAll(spread("gradient_norm"));
        headings.addAll(List.of("cost", "best", "paper"));
        headings.addAll(spread("paper_error"));
        for (String other : List.of("standard", "sam")) {
            TEST_HEADINGS.forEach(name -> headings.add(name + "_against_" + other));
        }
        StringBuilder text = new StringBuilder(line(headings));
        for (RowSummary row : RowSummary.of(result)) {
            ResultRow of = row.row();
            Optional<PaperResults.Entry> paper = PaperResults.error(of.paper(), of.method());
            List<String> cells = new ArrayList<>(List.of(
                    of.variant(),
                    of.method(),
                    settings(of.settings()),
                    String.valueOf(of.seeds()),
                    String.valueOf(of.done().size()),
                    String.valueOf(row.count(Status.DIVERGED)),
                    String.valueOf(row.count(Status.FAILED))));
            for (Figure figure : figures) {
                Spread values = row.of(figure);
                cells.add(number(NumberText.shown(figure, values.mean())));
                cells.add(number(NumberText.shown(figure, values.deviation())));
            }
            cells.addAll(List.of(
                    number(row.gradientNorm().mean()),
                    number(row.gradientNorm().deviation()),
                    number(row.cost()),
                    String.valueOf(row.best()),
                    of.paper(),
                    number(paper.map(PaperResults.Entry::mean).orElse(Double.NaN)),
                    number(paper.map(PaperResults.Entry::deviation).orElse(Double.NaN))));
            for (String other : List.of("standard", "sam")) {
                MethodTest test = tests.getOrDefault(of, Map.of()).get(other);
                cells.addAll(
                        test == null ? TEST_HEADINGS.stream().map(name -> "").toList() : cells(test));
            }
            text.append(line(cells));
        }
        return text.toString();
    }

    private static List<String> spread(String name) {
        return List.of(name + "_mean", name + "_deviation");
    }

    private static String inSnakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static List<String> cells(MethodTest test) {
        Figure judge = test.judge();
        return List.of(
                String.valueOf(test.test().pairs()),
                number(NumberText.shown(judge, test.test().meanDifference())),
                number(NumberText.shown(judge, test.test().low())),
                number(NumberText.shown(judge, test.test().high())),
                number(test.test().p()),
                number(test.corrected()),
                number(test.ranks()),
                test.claim() == MethodTest.Claim.NONE ? "" : test.claim().name().toLowerCase(Locale.ROOT));
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining("; "));
    }

    /** Ten digits: what is beyond is binary rounding. */
    private static String number(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value)
                        .round(new MathContext(10))
                        .stripTrailingZeros()
                        .toPlainString()
                : "";
    }

    /** RFC 4180, but for the line's end. */
    private static String line(List<String> cells) {
        return cells.stream()
                .map(cell -> cell.matches("(?s).*[\",\\r\\n].*") ? "\"" + cell.replace("\"", "\"\"") + "\"" : cell)
                .collect(Collectors.joining(",", "", "\n"));
    }
}
