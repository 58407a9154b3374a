package io.polder.study.results;

import io.polder.recipe.ModelRecipe;
import io.polder.recipe.RecipeReader;
import io.polder.study.NumberText;
import io.polder.study.page.Html;
import io.polder.study.page.Style;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialOutcome.Status;
import io.polder.text.Wrapped;
import io.polder.train.Classification;
import io.polder.train.Figure;
import io.polder.train.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A study's table in the paper's form: for each variant one row a method, the figure that judges as mean ± standard deviation over the seeds, the
 * best of a variant marked, the cost relative to standard training, and the paper's own number beside where the study names one.
 */
final class StudyTable {
    private final List<String> headings = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private static final int SETTINGS = 1;
    private static final int SEEDS = 2;
    private static final int JUDGED = 3;

    private final Figure judge;

    private StudyTable(Figure judge) {
        this.judge = judge;
    }

    /**
     * One row; the cells are those of the headings, the variant left out.
     *
     * @param style of its curves, if it has any
     */
    record Line(String variant, List<Cell> cells, boolean best, Optional<Style> style) {}

    /** What a cell shows: text, or a mean with its deviation, which LaTeX sets as the paper does. */
    record Cell(String text, String latex) {
        static Cell text(String text) {
            return new Cell(text, Latex.escape(text));
        }

        static Cell measure(Figure figure, Spread values) {
            double mean = NumberText.shown(figure, values.mean());
            return measure(mean, NumberText.shown(figure, values.deviation()), NumberText.decimals(figure));
        }

        static Cell measure(double mean, double deviation, int decimals) {
            String m = NumberText.fixed(mean, decimals);
            if (!Double.isFinite(mean)) {
                return text(m);
            }
            String d = NumberText.fixed(deviation, decimals);
            return Double.isFinite(deviation)
                    ? new Cell(m + " ± " + d, "$" + m + "_{\\pm " + d + "}$")
                    : new Cell(m, "$" + m + "$");
        }

        Cell inBold() {
            return new Cell(
                    text,
                    latex.startsWith("$")
                            ? "$\\mathbf{" + latex.substring(1, latex.length() - 1) + "}$"
                            : "\\textbf{" + latex + "}");
        }
    }

    static StudyTable of(StudyResult result) {
        List<RowSummary> rows = RowSummary.of(result);
        boolean paper = rows.stream().anyMatch(row -> published(row.row()).isPresent());
        Figures figures = result.figures();
        List<Figure> others = others(figures).stream()
                .filter(figure -> !figure.equals(Classification.TOP5_ERROR) || isOfImageNet(rows))
                .toList();
        StudyTable table = new StudyTable(figures.judge());
        table.headings.addAll(List.of("Method", "Settings", "Seeds", NumberText.heading("Test", figures.judge())));
        others.forEach(figure -> table.headings.add(NumberText.heading(figure)));
        table.headings.addAll(List.of("Gradient norm", "Cost"));
        if (paper) {
            table.headings.add("Paper, %");
        }
        Map<ResultRow, Style> styles = StudyCharts.styles(rows);
        for (RowSummary row : rows) {
            List<Cell> cells = new ArrayList<>(List.of(
                    Cell.text(row.row().label()),
                    Cell.text(Settings.words(row.row().settings())),
                    Cell.text(seeds(row)),
                    judged(row)));
            others.forEach(figure -> cells.add(Cell.measure(figure, row.of(figure))));
            cells.add(Cell.text(NumberText.significant(row.gradientNorm().mean())));
            String cost = NumberText.fixed(row.cost(), 2);
            cells.add(Cell.text(cost.equals(NumberText.UNKNOWN) ? cost : cost + "×"));
            if (paper) {
                cells.add(published(row.row())
                        .map(entry -> Cell.measure(entry.mean(), entry.deviation(), 2))
                        .orElse(Cell.text("")));
            }
            table.lines.add(new Line(
                    row.row().variant(), List.copyOf(cells), row.best(), Optional.ofNullable(styles.get(row.row()))));
        }
        table.addNotes(result, rows, paper);
        return table;
    }

    /** What there is besides that which judges and the loss. */
    static List<Figure> others(Figures figures) {
        return figures.evaluation().stream()
                .filter(figure -> !figure.equals(figures.judge()) && !figure.equals(Figure.loss()))
                .toList();
    }

    /** Of fewer classes the error among five says little. */
    private static boolean isOfImageNet(List<RowSummary> rows) {
        return rows.stream().anyMatch(row -> row.row().paper().startsWith("imagenet/"));
    }

    private void addNotes(StudyResult result, List<RowSummary> rows, boolean paper) {
        String progress = Findings.progress(result);
        if (!progress.isEmpty()) {
            notes.add(progress);
        }
        long machinesOfRows = rows.stream()
                .flatMap(row -> row.row().done().stream())
                .map(TrialOutcome::machine)
                .distinct()
                .count();
        // Those of the search, too: they decided what the rows were trained with.
        Map<String, Long> machines = result.outcomes().stream()
                .filter(TrialOutcome::isDone)
                .collect(Collectors.groupingBy(TrialOutcome::machine, TreeMap::new, Collectors.counting()));
        notes.add("Test " + judge.label()
                + " after the last epoch, mean ± standard deviation over the seeds trained to their end."
                + " The gradient norm is that of the batch gradient, averaged over the last epoch."
                + " Cost is the time a training image takes, relative to standard training"
                + (machinesOfRows > 1
                        ? "; the trials ran on different machines, which it does not correct for."
                        : "."));
        if (machines.size() == 1) {
            notes.add("Trained on " + machines.keySet().iterator().next() + ".");
        } else if (machines.size() > 1) {
            notes.add("Not all trials ran on the same, and the same seed may end with other digits for that: "
                    + machines.entrySet().stream()
                            .map(machine -> Findings.plural(machine.getValue(), "trial") + " on " + machine.getKey())
                            .collect(Collectors.joining("; "))
                    + ".");
        }
        rows.stream()
                .flatMap(row -> sameForEverySeed(row.row()).stream())
                .distinct()
                .forEach(notes::add);
        if (paper) {
            notes.add(
                    "Paper: as published (Zhao, Zhang, Hu; ICML 2022), from full training of the full network on all images"
                            + ". Here: " + scale(rows)
                            + ". At another scale compare the differences between methods, not the errors.");
        }
    }

    /** What the ± leaves out, where the seeds of a row start from the same weights. */
    private static Optional<String> sameForEverySeed(ResultRow row) {
        return row.outcomes().stream()
                .map(TrialOutcome::recipe)
                .filter(recipe -> recipe.contains("torchscript: ") && !recipe.contains("torchscript: null"))
                .findFirst()
                .map(recipe -> RecipeReader.read(recipe, row.label(), List.of()).model())
                .flatMap(ModelRecipe::sameForEverySeed)
                .map(sentence -> sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1) + ".");
    }

    /** "5 to 30 epochs", as trained. */
    private static String scale(List<RowSummary> rows) {
        var epochs = rows.stream()
                .flatMap(row -> row.row().done().stream())
                .mapToInt(outcome -> outcome.epochs())
                .summaryStatistics();
        if (epochs.getCount() == 0) {
            return "nothing yet";
        }
        List<String> names = rows.stream()
                .flatMap(row -> row.row().done().stream())
                .map(outcome -> outcome.name())
                .distinct()
                .toList();
        return (epochs.getMin() == epochs.getMax() ? "" : epochs.getMin() + " to ") + epochs.getMax() + " epochs"
                + (names.size() == 1 ? " of " + names.get(0) : "");
    }

    private static Optional<PaperResults.Entry> published(ResultRow row) {
        return PaperResults.error(row.paper(), row.method());
    }

    /** "5", or what became of the others: "4, 1 diverged". */
    private static String seeds(RowSummary row) {
        String remark = row.remark();
        return row.row().done().size() + (remark.isEmpty() ? "" : ", " + remark);
    }

    private static Cell judged(RowSummary row) {
        if (row.row().done().isEmpty() && !row.row().outcomes().isEmpty()) {
            return Cell.text(row.count(Status.DIVERGED) > 0 ? "diverged" : "failed");
        }
        return Cell.measure(row.row().judge(), row.judged());
    }

    List<String> headings() {
        return headings;
    }

    List<Line> lines() {
        return lines;
    }

    List<String> notes() {
        return notes;
    }

    /** The first of the columns that hold numbers. */
    static boolean isNumeric(int column) {
        return column >= JUDGED;
    }

    private boolean hasVariants() {
        return lines.stream().anyMatch(line -> !line.variant().isEmpty());
    }

    private boolean marksBest() {
        return lines.stream().anyMatch(Line::best);
    }

    private String bestNote(String mark) {
        return mark + " " + NumberText.best(judge) + " mean" + (hasVariants() ? " of its variant" : "")
                + ", which is no claim by itself";
    }

    /**
     * For a terminal; every character used is one column wide. What would be too wide has headings of several lines, then settings, and what
     * became of lost trials, on a line below the method, then all figures there.
     */
    String text() {
        int[] whole = IntStream.range(0, headings.size()).toArray();
        int[] figures = IntStream.range(0, headings.size())
                .filter(column -> column != SETTINGS)
                .toArray();
        String text = text(whole, false, Below.NOTHING);
        for (Below below : Below.values()) {
            if (text.lines().anyMatch(line -> line.length() > Wrapped.COLUMNS)) {
                text = text(below == Below.NOTHING ? whole : figures, true, below);
            }
        }
        return marksBest() ? text + bestNote("*") + "\n" : text;
    }

    /** What of a row stands on a line of its own. */
    private enum Below {
        NOTHING,
        SETTINGS,
        FIGURES
    }

    private String text(int[] columns, boolean narrow, Below below) {
        List<List<String>> rows = new ArrayList<>();
        for (Line line : lines) {
            List<String> cells = marked(line.cells().stream().map(Cell::text).toList(), line.best());
            if (below != Below.NOTHING) {
                cells.set(SEEDS, cells.get(SEEDS).replaceFirst(",.*", ""));
            }
            rows.add(cells);
        }
        String indent = hasVariants() ? "  " : "";
        int[] widths = new int[headings.size()];
        List<List<String>> heads = new ArrayList<>();
        for (int column = 0; column < widths.length; column++) {
            int of = column;
            int cells =
                    rows.stream().mapToInt(row -> row.get(of).length()).max().orElse(0);
            String mark = column == JUDGED ? "  " : "";
            List<String> words = (narrow
                            ? Wrapped.text(headings.get(column), Math.max(1, cells - mark.length()), "")
                                    .lines()
                            : Stream.of(headings.get(column)))
                    .map(line -> line + mark)
                    .toList();
            heads.add(words);
            widths[column] = Math.max(
                    cells, words.stream().mapToInt(String::length).max().orElse(0));
        }
        if (below == Below.FIGURES) {
            widths[0] = 2;
        }
        int height = heads.stream().mapToInt(List::size).max().orElse(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < height; i++) {
            List<String> row = new ArrayList<>();
            for (List<String> words : heads) {
                int from = i - (height - words.size());
                row.add(from < 0 ? "" : words.get(from));
            }
            row.set(0, below == Below.FIGURES ? "" : row.get(0));
            text.append(row(indent, columns, row, widths));
        }
        String variant = "";
        for (int i = 0; i < rows.size(); i++) {
            Line line = lines.get(i);
            List<String> row = rows.get(i);
            if (!line.variant().equals(variant)) {
                variant = line.variant();
                text.append(variant).append('\n');
            }
            String lost = line.cells().get(SEEDS).text().replaceFirst("^[^,]*,? ?", "");
            String under = Stream.of(row.get(SETTINGS), lost)
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining("; "));
            if (below == Below.FIGURES) {
                text.append(indent)
                        .append(row.get(0))
                        .append(under.isEmpty() ? "" : "  " + under)
                        .append('\n');
                row.set(0, "");
            }
            text.append(row(indent, columns, row, widths));
            if (below == Below.SETTINGS && !under.isEmpty()) {
                text.append(indent).append("  ").append(under).append('\n');
            }
        }
        return text.toString();
    }

    private static String row(String indent, int[] columns, List<String> cells, int[] widths) {
        StringBuilder row = new StringBuilder(indent);
        for (int column : columns) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths[column] - cell.length());
            row.append(isNumeric(column) ? padding + cell : cell + padding).append("  ");
        }
        return row.toString().stripTrailing() + "\n";
    }

    private static List<String> marked(List<String> cells, boolean best) {
        List<String> marked = new ArrayList<>(cells);
        marked.set(JUDGED, cells.get(JUDGED) + (best ? " *" : "  "));
        return marked;
    }

    String markdown() {
        boolean variants = hasVariants();
        StringBuilder text = new StringBuilder();
        text.append(variants ? "| Variant " : "")
                .append("| ")
                .append(headings.stream().map(StudyTable::markdown).collect(Collectors.joining(" | ")))
                .append(" |\n");
        text.append(variants ? "| --- " : "").append("|");
        for (int column = 0; column < headings.size(); column++) {
            text.append(isNumeric(column) ? " ---: |" : " --- |");
        }
        text.append('\n');
        for (Line line : lines) {
            text.append(variants ? "| " + markdown(line.variant()) + " " : "").append("|");
            for (int column = 0; column < headings.size(); column++) {
                String cell = markdown(line.cells().get(column).text());
                text.append(' ')
                        .append(line.best() && column == JUDGED ? "**" + cell + "**" : cell)
                        .append(" |");
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** Names are the user's: nothing in them is markup. */
    static String markdown(String text) {
        return text.replaceAll("[\\r\\n]+", " ").replaceAll("[\\\\`*_{}\\[\\]<>#|~&]", "\\\\$0");
    }

    /** A {@code table*} that needs {@code \\usepackage{booktabs}} and, for quotation marks, {@code textcomp} and T1 fonts. */
    String latex(String title, List<String> findings) {
        StringBuilder text = new StringBuilder("""
                %% needs \\usepackage{booktabs}, \\usepackage[T1]{fontenc} and \\usepackage{textcomp}
                \\begin{table*}[tb]
                  \\centering
                  \\caption{%s.}
                  \\vskip 0.1in
                  \\small\\setlength{\\tabcolsep}{4pt}
                  \\begin{tabular}{%s}
                  \\toprule
                  %s \\\\
                """.formatted(
                        Latex.escape(title),
                        "l".repeat(JUDGED) + "r".repeat(headings.size() - JUDGED),
                        headings.stream().map(Latex::escape).collect(Collectors.joining(" & "))));
        String variant = null;
        for (Line line : lines) {
            if (!line.variant().equals(variant)) {
                variant = line.variant();
                text.append("  \\midrule\n");
                if (!variant.isEmpty()) {
                    text.append("  \\multicolumn{%s}{l}{\\textit{%s}} \\\\\n"
                            .formatted(headings.size(), Latex.escape(variant)));
                }
            }
            List<String> cells = new ArrayList<>();
            for (int column = 0; column < headings.size(); column++) {
                Cell cell = line.cells().get(column);
                cells.add((line.best() && column == JUDGED ? cell.inBold() : cell).latex());
            }
            text.append("  " + String.join(" & ", cells) + " \\\\\n");
        }
        text.append("""
                  \\bottomrule
                  \\end{tabular}
                  \\par\\vskip 0.1in
                  \\begin{minipage}{0.95\\textwidth}\\footnotesize
                """);
        List<String> all = new ArrayList<>(notes);
        if (marksBest()) {
            all.add(bestNote());
        }
        all.addAll(findings);
        all.forEach(note -> text.append("  " + Latex.escape(note) + "\\par\n"));
        return text.append("  \\end{minipage}\n\\end{table*}\n").toString();
    }

    /** For the report: settings under the method, seeds last; the heading of a variant is a row of its own. */
    String html() {
        List<Integer> order = new ArrayList<>();
        for (int column = JUDGED; column < headings.size(); column++) {
            order.add(column);
        }
        order.add(SEEDS);
        StringBuilder text = new StringBuilder("<div class=\"scroll\"><table class=\"outcome study\">\n<thead><tr>");
        text.append("<th scope=\"col\">" + headings.get(0) + "</th>");
        order.forEach(column -> text.append("<th scope=\"col\">" + Html.escape(headings.get(column)) + "</th>"));
        text.append("</tr></thead>\n<tbody>\n");
        String variant = "";
        for (Line line : lines) {
            if (!line.variant().equals(variant)) {
                variant = line.variant();
                text.append("<tr class=\"variant\"><th scope=\"rowgroup\" colspan=\"%s\">%s</th></tr>\n"
                        .formatted(order.size() + 1, Html.escape(variant)));
            }
            text.append("<tr%s><th scope=\"row\"%s>%s<small>%s</small></th>"
                    .formatted(
                            line.best() ? " class=\"best\"" : "",
                            line.style()
                                    .map(style -> " class=\"" + style.css() + "\"")
                                    .orElse(""),
                            cell(line, 0),
                            cell(line, SETTINGS)));
            for (int column : order) {
                boolean bold = line.best() && column == JUDGED;
                text.append("<td data-label=\"" + Html.escape(headings.get(column)) + "\">"
                        + (bold ? "<b>" + cell(line, column) + "</b>" : cell(line, column)) + "</td>");
            }
            text.append("</tr>\n");
        }
        return text.append("</tbody>\n</table></div>\n").toString();
    }

    private static String cell(Line line, int column) {
        return Html.escape(line.cells().get(column).text()).replace(" = ", "&nbsp;=&nbsp;");
    }

    String bestNote() {
        return marksBest() ? bestNote("Bold:") + "." : "";
    }
}
