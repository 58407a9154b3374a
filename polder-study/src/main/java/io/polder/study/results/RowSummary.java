package io.polder.study.results;

import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialOutcome.Status;
import io.polder.train.Figure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * A row's outcome over its seeds, of the trials that were trained to their end.
 *
 * @param judged the figure that judges, on the test images after the last epoch
 * @param cost time a training image takes, relative to standard training of the same variant and seed: the median over the seeds, as
 *     other work on the machine slows some of them down; NaN where it is unknown
 * @param best whether its mean is the best of its variant. A row that lost a trial is not: its mean leaves the worst out
 */
record RowSummary(ResultRow row, Spread judged, Spread gradientNorm, double cost, boolean best) {

    /** In the order of the rows. */
    static List<RowSummary> of(StudyResult result) {
        Map<String, List<ResultRow>> variants =
                result.rows().stream().collect(Collectors.groupingBy(ResultRow::variant));
        Map<String, Optional<ResultRow>> bests = new HashMap<>();
        variants.forEach((name, rows) -> bests.put(name, best(rows)));
        // A grid may have thousands of rows, but few that the others are measured by.
        Map<String, List<ResultRow>> standards = result.rows().stream()
                .filter(row -> row.method().equals("standard"))
                .collect(Collectors.groupingBy(ResultRow::variant));
        List<RowSummary> summaries = new ArrayList<>();
        for (ResultRow row : result.rows()) {
            List<ResultRow> standard = standards.getOrDefault(row.variant(), List.of());
            summaries.add(new RowSummary(
                    row,
                    judged(row),
                    Spread.of(row.done().stream()
                            .mapToDouble(TrialOutcome::gradientNorm)
                            .toArray()),
                    baseline(standard, row).map(its -> cost(row, its)).orElse(Double.NaN),
                    bests.get(row.variant()).filter(best -> best == row).isPresent()));
        }
        return summaries;
    }

    /** The row of standard training that a row is measured by: the one whose other settings, if any, do not differ. */
    static Optional<ResultRow> baseline(List<ResultRow> variant, ResultRow row) {
        return only(variant, "standard", row);
    }

    /** SAM's row, likewise: the one of the same radius where there are several. */
    static Optional<ResultRow> sam(List<ResultRow> variant, ResultRow row) {
        List<ResultRow> sameRadius = variant.stream()
                .filter(other -> !other.method().equals("sam") || other.r().equals(row.r()))
                .toList();
        return only(sameRadius, "sam", row).or(() -> only(variant, "sam", row));
    }

    long count(Status status) {
        return row.outcomes().stream()
                .filter(outcome -> outcome.status() == status)
                .count();
    }

    /** What is wrong or missing: "1 diverged, 2 to come"; empty if nothing is. */
    String remark() {
        List<String> parts = new ArrayList<>();
        if (count(Status.DIVERGED) > 0) {
            parts.add(count(Status.DIVERGED) + " diverged");
        }
        if (count(Status.FAILED) > 0) {
            parts.add(count(Status.FAILED) + " failed");
        }
        int missing = row.seeds() - row.outcomes().size();
        if (missing > 0) {
            parts.add(missing + " to come");
        }
        return String.join(", ", parts);
    }

    private static Optional<ResultRow> only(List<ResultRow> variant, String method, ResultRow row) {
        List<ResultRow> found = variant.stream()
                .filter(other -> other.method().equals(method))
                .filter(other -> agreesOutsideTheScheme(other, row))
                .toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    private static boolean agreesOutsideTheScheme(ResultRow a, ResultRow b) {
        return a.settings().entrySet().stream()
                .filter(setting -> !setting.getKey().startsWith("scheme."))
                .allMatch(setting -> Objects.equals(
                        b.settings().getOrDefault(setting.getKey(), setting.getValue()), setting.getValue()));
    }

    private static Optional<ResultRow> best(List<ResultRow> variant) {
        List<ResultRow> whole = variant.stream()
                .filter(row -> !row.done().isEmpty())
                .filter(row -> row.done().size() == row.outcomes().size())
                .toList();
        return variant.size() == 1
                ? Optional.empty()
                : whole.stream()
                        .min((a, b) ->
                                a.judge().compare(judged(a).mean(), judged(b).mean()));
    }

    private static Spread judged(ResultRow row) {
        return of(row, row.judge());
    }

    /** Another figure of the test images after the last epoch. */
    Spread of(Figure figure) {
        return of(row, figure);
    }

    private static Spread of(ResultRow row, Figure figure) {
        return Spread.of(
                row.done().stream().mapToDouble(outcome -> outcome.last(figure)).toArray());
    }

    /** Trials of one seed are trained at about the same time: so the pace of a machine, which changes by the hour, does not count. */
    private static double cost(ResultRow row, ResultRow standard) {
        Map<Long, Double> theirs = secondsPerImage(standard);
        return new Median()
                .evaluate(secondsPerImage(row).entrySet().stream()
                        .filter(its -> theirs.containsKey(its.getKey()))
                        .mapToDouble(its -> its.getValue() / theirs.get(its.getKey()))
                        .filter(Double::isFinite)
                        .toArray());
    }

    private static Map<Long, Double> secondsPerImage(ResultRow row) {
        return row.done().stream()
                .collect(Collectors.toMap(
                        TrialOutcome::seed, outcome -> 1 / outcome.imagesPerSecond(), (one, another) -> one));
    }
}
