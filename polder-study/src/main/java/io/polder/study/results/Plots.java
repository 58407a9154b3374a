package io.polder.study.results;

import io.polder.study.NumberText;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** The figures of a study: those that its results can fill, for each variant. */
final class Plots {
    /** A line over α needs at least these to have a shape. */
    private static final int LEAST_ALPHAS = 3;

    private Plots() {}

    static List<Plot> of(StudyResult result) {
        List<Plot> plots = new ArrayList<>();
        List<RowSummary> summaries = RowSummary.of(result);
        Names names = new Names();
        for (String variant : Findings.variants(result)) {
            List<RowSummary> rows = summaries.stream()
                    .filter(summary -> summary.row().variant().equals(variant))
                    .toList();
            String title = variant.isEmpty() ? "" : ": " + variant;
            addIfDrawn(plots, alpha(names.of("error-alpha", variant), title, rows, result.stages(), variant));
            List<RowSummary> shown = shown(rows);
            addIfDrawn(
                    plots,
                    new Plot(
                            names.of("error", variant),
                            "Evolution of test error" + title,
                            "Epoch",
                            "Test error, %",
                            true,
                            evolution(shown, point -> 100 * point.testError())));
            addIfDrawn(
                    plots,
                    new Plot(
                            names.of("gradient-norm", variant),
                            "Evolution of the gradient norm" + title,
                            "Epoch",
                            "Gradient norm",
                            true,
                            evolution(shown, EpochPoint::gradientNorm)));
            addIfDrawn(plots, cost(names.of("cost", variant), title, rows));
        }
        return plots;
    }

    private static void addIfDrawn(List<Plot> plots, Plot plot) {
        if (!plot.points().isEmpty()) {
            plots.add(plot);
        }
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
            return (Double.isNaN(r) ? "r as in the recipe" : "r = " + plain(r))
                    + (own.isEmpty() ? "" : ", " + Settings.words(own));
        }
    }

    /** Test error of a sweep; without one, what the search saw on the validation split. One line for each r and what else differs. */
    private static Plot alpha(
            String name, String title, List<RowSummary> rows, List<SearchStage> stages, String variant) {
        Map<Line, List<Plot.Point>> lines = sweeps(rows);
        boolean sweep = lines.values().stream().anyMatch(points -> points.size() >= LEAST_ALPHAS);
        if (sweep) {
            // Standard training is α = 0 of every line.
            rows.stream()
                    .filter(row ->
                            row.row().method().equals("standard") && row.error().count() > 0)
                    .limit(1)
                    .forEach(row -> lines.values().forEach(points -> points.add(Plot.Point.of(0, row.error(), 100))));
        } else {
            lines.clear();
            lines.putAll(searches(stages, variant));
        }
        lines.values().removeIf(points -> points.size() < LEAST_ALPHAS);
        Set<Map.Entry<String, String>> common = new HashSet<>();
        lines.keySet().stream()
                .limit(1)
                .forEach(line -> common.addAll(line.others().entrySet()));
        lines.keySet().forEach(line -> common.retainAll(line.others().entrySet()));
        List<Plot.Series> series = lines.entrySet().stream()
                .limit(Plot.MOST_SERIES)
                .map(line -> new Plot.Series(
                        line.getKey().label(common),
                        true,
                        line.getValue().stream()
                                .sorted(Comparator.comparingDouble(Plot.Point::x))
                                .toList()))
                .toList();
        String split = sweep ? "Test" : "Validation";
        return new Plot(name, split + " error against α" + title, "α", split + " error, %", false, series);
    }

    private static Map<Line, List<Plot.Point>> sweeps(List<RowSummary> rows) {
        Map<Line, List<Plot.Point>> lines = new TreeMap<>(Line.ORDER);
        Map<Line, Spread> sams = new LinkedHashMap<>();
        for (RowSummary row : rows) {
            if (row.error().count() > 0) {
                Line line = Line.of(row.row().r(), row.row().settings());
                if (row.row().method().equals("sam")) {
                    sams.put(line, row.error());
                } else {
                    add(lines, line, row.row().alpha(), row.error());
                }
            }
        }
        // SAM is α = 1 of each line that has its settings: where several are, of the one that has most of them.
        lines.forEach((line, points) -> sams.keySet().stream()
                .filter(sam -> sam.isOf(line))
                .max(Comparator.comparingInt(sam -> sam.others().size()))
                .ifPresent(sam -> points.add(Plot.Point.of(1, sams.get(sam), 100))));
        return lines;
    }

    private static Map<Line, List<Plot.Point>> searches(List<SearchStage> stages, String variant) {
        Map<Line, List<Plot.Point>> lines = new TreeMap<>(Line.ORDER);
        for (SearchStage stage : stages) {
            if (stage.variant().equals(variant) && !stage.title().startsWith("rung")) {
                for (Candidate candidate : stage.candidates()) {
                    if (Double.isFinite(candidate.error())) {
                        Map<String, String> settings = new LinkedHashMap<>(stage.given());
                        settings.putAll(candidate.settings());
                        Spread errors = Spread.of(candidate.outcomes().stream()
                                .mapToDouble(TrialOutcome::lastError)
                                .toArray());
                        OptionalDouble alpha = number(candidate.settings(), Settings.ALPHA);
                        add(lines, Line.of(number(settings, Settings.R), settings), alpha, errors);
                    }
                }
            }
        }
        return lines;
    }

    private static void add(Map<Line, List<Plot.Point>> lines, Line line, OptionalDouble alpha, Spread errors) {
        alpha.ifPresent(a -> {
            Plot.Point at = Plot.Point.of(a, errors, 100);
            lines.computeIfAbsent(line, key -> new ArrayList<>()).add(at);
        });
    }

    private static OptionalDouble number(Map<String, String> settings, String path) {
        try {
            return settings.containsKey(path)
                    ? OptionalDouble.of(Double.parseDouble(settings.get(path)))
                    : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private static String plain(double value) {
        return NumberText.plain(value);
    }

    /** All rows; of a sweep, which would be a tangle, the first standard row, the best of each other method and radius. */
    private static List<RowSummary> shown(List<RowSummary> rows) {
        if (rows.size() <= Plot.MOST_SERIES) {
            return rows;
        }
        Map<List<Object>, RowSummary> best = new LinkedHashMap<>();
        for (RowSummary row : rows) {
            List<Object> key = List.of(row.row().method(), row.row().r());
            best.merge(key, row, (a, b) -> b.error().mean() < a.error().mean() ? b : a);
        }
        return best.values().stream().limit(Plot.MOST_SERIES).toList();
    }

    private static List<Plot.Series> evolution(List<RowSummary> rows, ToDoubleFunction<EpochPoint> quantity) {
        List<Plot.Series> series = new ArrayList<>();
        boolean settingsToo =
                rows.stream().map(row -> row.row().label()).distinct().count() < rows.size();
        for (RowSummary row : rows) {
            List<TrialOutcome> trials = row.row().done().isEmpty()
                    ? row.row().outcomes()
                    : row.row().done();
            Map<Integer, List<Double>> byEpoch = new TreeMap<>();
            for (TrialOutcome trial : trials) {
                for (EpochPoint point : trial.curve()) {
                    double value = quantity.applyAsDouble(point);
                    if (Double.isFinite(value)) {
                        byEpoch.computeIfAbsent(point.epoch(), epoch -> new ArrayList<>())
                                .add(value);
                    }
                }
            }
            List<Plot.Point> points = new ArrayList<>();
            byEpoch.forEach((epoch, values) -> points.add(range(epoch, values)));
            String settings = Settings.words(row.row().settings());
            series.add(new Plot.Series(
                    row.row().label() + (settingsToo && !settings.isEmpty() ? ", " + settings : ""), true, points));
        }
        return series;
    }

    private static Plot.Point range(int epoch, List<Double> values) {
        var all = values.stream().flatMapToDouble(DoubleStream::of).summaryStatistics();
        return new Plot.Point(epoch, all.getMin(), all.getAverage(), all.getMax());
    }

    private static Plot cost(String name, String title, List<RowSummary> rows) {
        Map<String, List<Plot.Point>> byMethod = new LinkedHashMap<>();
        for (RowSummary row : rows) {
            if (Double.isFinite(row.cost()) && row.error().count() > 0) {
                byMethod.computeIfAbsent(row.row().label(), label -> new ArrayList<>())
                        .add(Plot.Point.of(row.cost(), row.error(), 100));
            }
        }
        List<Plot.Series> series = new ArrayList<>();
        byMethod.forEach((label, points) -> series.add(new Plot.Series(label, false, points)));
        return new Plot(
                name,
                "Cost against error" + title,
                "Time per image, relative to standard training",
                "Test error, %",
                false,
                series.size() < 2 ? List.of() : series);
    }
}
