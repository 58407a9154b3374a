package io.polder.study;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The outcome, one row a method: test error as mean ± standard deviation over seeds, gradient norm, cost. */
public final class ResultsTable {
    static final Row HEADINGS = new Row("Method", "Settings", "Test error, %", "Gradient norm", "Cost", false);

    private ResultsTable() {}

    /** For a terminal; every character used is one column wide. */
    public static String text(Comparison comparison) {
        List<Row> rows = rows(comparison);
        List<List<String>> lines = Stream.concat(Stream.of(HEADINGS), rows.stream())
                .map(row -> row.cells(row.best() ? row.testError() + " *" : row.testError() + "  "))
                .toList();
        int[] widths = new int[lines.get(0).size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String padding = " ".repeat(widths[column] - line.get(column).length());
                boolean words = column < 2;
                row.append(words ? line.get(column) + padding : padding + line.get(column))
                        .append("  ");
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return rows.stream().anyMatch(Row::best) ? text + "* lowest mean\n" : text.toString();
    }

    public static String markdown(Comparison comparison) {
        return markdown(HEADINGS.cells(HEADINGS.testError()))
                + "|---|---|---:|---:|---:|\n"
                + rows(comparison).stream()
                        .map(row -> row.cells(row.best() ? "**" + row.testError() + "**" : row.testError()))
                        .map(ResultsTable::markdown)
                        .collect(Collectors.joining());
    }

    private static String markdown(List<String> cells) {
        return cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    static List<Row> rows(Comparison comparison) {
        List<MethodSummary> summaries = MethodSummary.of(comparison);
        double lowest = summaries.size() == 1
                ? Double.NaN
                : summaries.stream()
                        .mapToDouble(MethodSummary::testErrorMean)
                        .filter(Double::isFinite)
                        .min()
                        .orElse(Double.NaN);
        return summaries.stream()
                .map(summary -> Row.of(summary, summary.testErrorMean() == lowest))
                .toList();
    }

    record Row(String method, String settings, String testError, String gradientNorm, String cost, boolean best) {
        private static Row of(MethodSummary summary, boolean best) {
            String mean = NumberText.percent(summary.testErrorMean());
            String deviation = NumberText.percent(summary.testErrorDeviation());
            String cost = NumberText.fixed(summary.relativeCost(), 2);
            return new Row(
                    summary.method().label(),
                    summary.method().settings(),
                    deviation.equals(NumberText.UNKNOWN) ? mean : mean + " ± " + deviation,
                    NumberText.significant(summary.gradientNormMean()),
                    cost.equals(NumberText.UNKNOWN) ? cost : cost + "×",
                    best);
        }

        private List<String> cells(String markedTestError) {
            return List.of(method, settings, markedTestError, gradientNorm, cost);
        }
    }
}
