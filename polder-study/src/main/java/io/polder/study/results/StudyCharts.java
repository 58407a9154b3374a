package io.polder.study.results;

import io.polder.study.NumberText;
import io.polder.study.page.Chart;
import io.polder.study.page.Style;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.TrialOutcome;
import io.polder.train.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The figures of a study: those that its results can fill, for each variant. */
final class StudyCharts {
    /** A line over α needs at least these to have a shape. */
    private static final int LEAST_ALPHAS = 3;

    /** How many series can be told apart, by eight colours and two kinds of line; the paper's set B has ten. */
    private static final int MOST_SERIES = 12;

    private StudyCharts() {}

    static List<Chart> of(StudyResult result) {
        List<Chart> charts = new ArrayList<>();
        List<RowSummary> summaries = RowSummary.of(result);
        Figure judge = result.figures().judge();
        String judged = judge.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        Names names = new Names();
        for (String variant : Findings.variants(result)) {
            List<RowSummary> rows = summaries.stream()
                    .filter(summary -> summary.row().variant().equals(variant))
                    .toList();
            String title = variant.isEmpty() ? "" : ": " + variant;
            List<RowSummary> shown = shown(rows);
            charts.add(alpha(judge, names.of(judged + "-alpha", variant), title, rows, result.stages(), variant));
            charts.add(values(
                    judge,
                    names.of(judged, variant),
                    "Evolution of test " + judge.label() + title,
                    "Epoch",
                    "Test",
                    Chart.Kind.COURSE,
                    evolution(shown, point -> NumberText.shown(judge, point.test(judge)))));
            charts.add(new Chart(
                    names.of("gradient-norm", variant),
                    "Evolution of the gradient norm" + title,
                    "Epoch",
                    "Gradient norm",
                    Chart.Kind.COURSE,
                    Chart.Scale.LOGARITHMIC_IF_WIDE,
                    evolution(shown, EpochPoint::gradientNorm),
                    NumberText::significant));
            charts.add(cost(judge, names.of("cost", variant), title, rows));
        }
        charts.removeIf(chart -> chart.points().isEmpty());
        return charts;
    }

    /** File names from variants, which may have any characters; different variants never share one. */
    private static final class Names {
        private final Set<String> used = new HashSet<>();

        String of(String kind, String variant) {
            String tail = variant.toLowerCase(Locale.ROOT)
                    .replaceAll("[^a-z0-9]+", "-")
                    .replaceAll("^-|-$", "");
            String name = kind + (tail.isEmpty() ? "" : "-" + tail.substring(0, Math.min(60, tail.length())));
            String free = name;
            for (int i = 2; !used.add(free); i++) {
                free = name + "-" + i;
            }
            return free;
        }
    }

    /**
     * A line over α.
     *
     * @param r NaN: as in the recipe
     * @param others the settings besides r and α
     */
    private record Line(double r, Map<String, String> others) {
        static final Comparator<Line> ORDER =
                Comparator.comparingDouble(Line::r).thenComparing(line -> Settings.words(line.others()));

        static Line of(OptionalDouble r, Map<String, String> settings) {
            Map<String, String> others = new LinkedHashMap<>(settings);
            others.keySet().removeAll(Set.of(Settings.R, Settings.ALPHA));
            return new Line(r.orElse(Double.NaN), others);
        }

        boolean isOf(Line more) {
            return Double.compare(r, more.r) == 0 && more.others.entrySet().containsAll(others.entrySet());
        }

        String label(Set<Map.Entry<String, String>> said) {
            Map<String, String> own = new LinkedHashMap<>(others);
            own.entrySet().removeAll(said);
            return (Double.isNaN(r) ? "r as in the recipe" : "r = " + NumberText.plain(r))
                    + (own.isEmpty() ? "" : ", " + Settings.words(own));
        }
    }

    /** On the test images, of a sweep; without one, what the search saw on the validation split. One line for each r and what else differs. */
    private static Chart alpha(
            Figure judge, String name, String title, List<RowSummary> rows, List<SearchStage> stages, String variant) {
        Map<Line, List<Chart.Point>> lines = sweeps(judge, rows);
        boolean sweep = lines.values().stream().anyMatch(points -> points.size() >= LEAST_ALPHAS);
        if (sweep) {
            // Standard training is α = 0 of every line.
            rows.stream()
                    .filter(row -> row.row().method().equals("standard")
                            && row.judged().count() > 0)
                    .limit(1)
                    .forEach(row -> lines.values().forEach(points -> points.add(point(judge, 0, row.judged()))));
        } else {
            lines.clear();
            lines.putAll(searches(judge, stages, variant));
        }
        lines.values().removeIf(points -> points.size() < LEAST_ALPHAS);
        Set<Map.Entry<String, String>> common = new HashSet<>();
        lines.keySet().stream()
                .limit(1)
                .forEach(line -> common.addAll(line.others().entrySet()));
        lines.keySet().forEach(line -> common.retainAll(line.others().entrySet()));
        List<Chart.Series> series = new ArrayList<>();
        lines.forEach((line, points) -> {
            if (series.size() < MOST_SERIES) {
                points.sort(Comparator.comparingDouble(Chart.Point::x));
                series.add(new Chart.Series(line.label(common), Style.of(series.size()), points));
            }
        });
        String split = sweep ? "Test" : "Validation";
        return values(
                judge, name, split + " " + judge.label() + " against α" + title, "α", split, Chart.Kind.LINES, series);
    }

    private static Map<Line, List<Chart.Point>> sweeps(Figure judge, List<RowSummary> rows) {
        Map<Line, List<Chart.Point>> lines = new TreeMap<>(Line.ORDER);
        Map<Line, Spread> sams = new LinkedHashMap<>();
        for (RowSummary row : rows) {
            if (row.judged().count() > 0) {
                Line line = Line.of(row.row().r(), row.row().settings());
                if (row.row().method().equals("sam")) {
                    sams.put(line, row.judged());
                } else {
                    add(judge, lines, line, row.row().alpha(), row.judged());
                }
            }
        }
        // SAM is α = 1 of each line that has its settings: where several are, of the one that has most of them.
        lines.forEach((line, points) -> sams.keySet().stream()
                .filter(sam -> sam.isOf(line))
                .max(Comparator.comparingInt(sam -> sam.others().size()))
                .ifPresent(sam -> points.add(point(judge, 1, sams.get(sam)))));
        return lines;
    }

    private static Map<Line, List<Chart.Point>> searches(Figure judge, List<SearchStage> stages, String variant) {
        Map<Line, List<Chart.Point>> lines = new TreeMap<>(Line.ORDER);
        for (SearchStage stage : stages) {
            if (stage.variant().equals(variant) && !stage.title().startsWith("rung")) {
                for (Candidate candidate : stage.candidates()) {
                    if (Double.isFinite(candidate.mean())) {
                        Map<String, String> settings = new LinkedHashMap<>(stage.given());
                        settings.putAll(candidate.settings());
                        Spread values = Spread.of(candidate.outcomes().stream()
                                .mapToDouble(TrialOutcome::last)
                                .toArray());
                        OptionalDouble alpha = Settings.number(candidate.settings(), Settings.ALPHA);
                        add(judge, lines, Line.of(Settings.number(settings, Settings.R), settings), alpha, values);
                    }
                }
            }
        }
        return lines;
    }

    private static void add(
            Figure judge, Map<Line, List<Chart.Point>> lines, Line line, OptionalDouble alpha, Spread values) {
        alpha.ifPresent(
                a -> lines.computeIfAbsent(line, key -> new ArrayList<>()).add(point(judge, a, values)));
    }

    /** All rows; of a sweep, which would be a tangle, the first standard row, the best of each other method and radius. */
    private static List<RowSummary> shown(List<RowSummary> rows) {
        if (rows.size() <= MOST_SERIES) {
            return rows;
        }
        Map<List<Object>, RowSummary> best = new LinkedHashMap<>();
        for (RowSummary row : rows) {
            List<Object> key = List.of(row.row().method(), row.row().r());
            best.merge(
                    key,
                    row,
                    (a, b) -> a.row()
                                    .judge()
                                    .isBetter(b.judged().mean(), a.judged().mean())
                            ? b
                            : a);
        }
        return best.values().stream().limit(MOST_SERIES).toList();
    }

    /** How the curves of rows look, by their identity; rows that have none are not there. */
    static Map<ResultRow, Style> styles(List<RowSummary> rows) {
        Map<ResultRow, Style> styles = new IdentityHashMap<>();
        rows.stream()
                .collect(Collectors.groupingBy(row -> row.row().variant()))
                .values()
                .forEach(variant -> {
                    int next = 0;
                    for (RowSummary row : shown(variant)) {
                        styles.put(row.row(), Style.afterBaseline(next++));
                    }
                });
        return styles;
    }

    private static List<Chart.Series> evolution(List<RowSummary> rows, ToDoubleFunction<EpochPoint> quantity) {
        List<Chart.Series> series = new ArrayList<>();
        Map<ResultRow, Style> styles = styles(rows);
        boolean settingsToo =
                rows.stream().map(row -> row.row().label()).distinct().count() < rows.size();
        for (RowSummary row : rows) {
            List<TrialOutcome> trials = row.row().done().isEmpty()
                    ? row.row().outcomes()
                    : row.row().done();
            Map<Integer, DoubleStream.Builder> byEpoch = new TreeMap<>();
            for (TrialOutcome trial : trials) {
                for (EpochPoint point : trial.curve()) {
                    double value = quantity.applyAsDouble(point);
                    if (Double.isFinite(value)) {
                        byEpoch.computeIfAbsent(point.epoch(), epoch -> DoubleStream.builder())
                                .add(value);
                    }
                }
            }
            List<Chart.Point> points = new ArrayList<>();
            byEpoch.forEach((epoch, values) -> points.add(Chart.Point.of(epoch, values.build())));
            String settings = Settings.words(row.row().settings());
            series.add(new Chart.Series(
                    row.row().label() + (settingsToo && !settings.isEmpty() ? ", " + settings : ""),
                    styles.get(row.row()),
                    points));
        }
        return series;
    }

    private static Chart cost(Figure judge, String name, String title, List<RowSummary> rows) {
        Map<String, List<Chart.Point>> byMethod = new LinkedHashMap<>();
        for (RowSummary row : rows) {
            if (Double.isFinite(row.cost()) && row.judged().count() > 0) {
                byMethod.computeIfAbsent(row.row().label(), label -> new ArrayList<>())
                        .add(point(judge, row.cost(), row.judged()));
            }
        }
        List<Chart.Series> series = new ArrayList<>();
        Map<ResultRow, Style> styles = styles(rows);
        byMethod.forEach((label, points) -> series.add(new Chart.Series(
                label,
                rows.stream()
                        .filter(row -> row.row().label().equals(label))
                        .flatMap(row -> Stream.ofNullable(styles.get(row.row())))
                        .findFirst()
                        .orElse(Style.of(series.size())),
                points)));
        return values(
                judge,
                name,
                "Cost against " + judge.label() + title,
                "Time per image, relative to standard training",
                "Test",
                judge.better() == Figure.Better.LOWER ? Chart.Kind.LOW_FRONTIER : Chart.Kind.HIGH_FRONTIER,
                series.size() < 2 ? List.of() : series);
    }

    private static Chart values(
            Figure judge,
            String name,
            String title,
            String x,
            String split,
            Chart.Kind kind,
            List<Chart.Series> series) {
        DoubleFunction<String> text = value -> NumberText.fixed(value, NumberText.decimals(judge));
        var scale = Chart.Scale.LOGARITHMIC_IF_WIDE;
        return new Chart(name, title, x, NumberText.heading(split, judge), kind, scale, series, text);
    }

    /** Their mean as it is shown, and one standard deviation either way. */
    private static Chart.Point point(Figure judge, double x, Spread values) {
        double mean = NumberText.shown(judge, values.mean());
        double margin = Double.isNaN(values.deviation()) ? 0 : NumberText.shown(judge, values.deviation());
        return new Chart.Point(x, mean - margin, mean, mean + margin);
    }
}
