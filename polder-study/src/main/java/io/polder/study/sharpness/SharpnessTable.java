package io.polder.study.sharpness;

import io.polder.run.MeasuredNetwork;
import io.polder.run.RunInfo;
import io.polder.sharpness.BatchStatistics;
import io.polder.sharpness.Effort;
import io.polder.study.NumberText;
import io.polder.study.PairedTest;
import io.polder.train.Figure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * What was measured of some networks, and of others to compare them with: a line for each figure, and how it was measured.
 *
 * @param against empty where there is nothing to compare with
 */
public record SharpnessTable(
        List<Row> networks, List<Row> against, BatchStatistics statistics, boolean l2, Effort effort) {
    /** So many networks have a column each; more are averaged. */
    private static final int MOST_COLUMNS = 4;

    private static final String JUDGE = "judge";

    /** One network. */
    public record Row(
            String name,
            long seed,
            long step,
            long images,
            Figure judge,
            String split,
            Map<String, Double> figures,
            Map<String, List<Double>> series) {
        /** With how the run did at its last evaluation, where this is the network that was evaluated. */
        public static Row of(
                Path path,
                MeasuredNetwork network,
                MeasuredNetwork.Settings settings,
                Map<String, Double> figures,
                Map<String, List<Double>> series) {
            RunInfo info = network.info();
            Map<String, Double> all = new LinkedHashMap<>(figures);
            if (info.result() != null && info.result().steps() == network.step()) {
                all.put(JUDGE, info.result().evaluated(info.figures().judge()));
            }
            return new Row(
                    path.toString(),
                    info.seed(),
                    network.step(),
                    network.samples(settings),
                    info.figures().judge(),
                    info.images().evaluatedOn(),
                    all,
                    series);
        }

        private double figure(String name) {
            return figures.getOrDefault(name, Double.NaN);
        }
    }

    /** A figure and what it is called. */
    private record Line(String name, String label, String error) {}

    public SharpnessTable {
        networks = List.copyOf(networks);
        against = List.copyOf(against);
    }

    private List<Line> lines() {
        String rho = "ρ = " + NumberText.plain(effort.rho());
        Row any = networks.get(0);
        List<Line> all = List.of(
                new Line("measuredLoss", "Loss on these images", ""),
                new Line("fullGradientNorm", "Gradient norm, all these images", ""),
                new Line("batchGradientNorm", "Gradient norm of a batch, mean", ""),
                new Line("topEigenvalue", "Top eigenvalue of the Hessian", "topEigenvalueResidual"),
                new Line("lowestEigenvalue", "Lowest eigenvalue met", ""),
                new Line("trace", "Trace of the Hessian", "traceError"),
                new Line("negativeShare", "Share of eigenvalues below 0", ""),
                new Line("samSharpness", "SAM sharpness, " + rho + ", one step", ""),
                new Line("samSharpnessSteps", "SAM sharpness, " + effort.ascentSteps() + " steps more", ""),
                new Line("lipschitz", "Local Lipschitz constant", ""),
                new Line("mSharpness", "m-sharpness, m = " + effort.m(), ""),
                new Line("adaptiveSharpness", "Adaptive sharpness, ρ = " + NumberText.plain(effort.adaptiveRho()), ""),
                new Line(JUDGE, NumberText.heading(upperFirst(any.split()), any.judge()), ""));
        return all.stream()
                .filter(line -> networks.stream().anyMatch(row -> row.figures().containsKey(line.name())))
                .toList();
    }

    private static String upperFirst(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** For people. */
    public String text() {
        boolean isGrouped = !against.isEmpty() || networks.size() > MOST_COLUMNS;
        List<List<String>> cells = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(""));
        if (isGrouped) {
            head.add(groupName(networks));
            if (!against.isEmpty()) {
                head.add(groupName(against));
                head.add("Difference");
                head.add("95 % interval");
            }
        } else {
            networks.forEach(row -> head.add(row.name()));
        }
        cells.add(head);
        for (Line line : lines()) {
            List<String> row = new ArrayList<>(List.of(line.label()));
            if (isGrouped) {
                row.add(ofGroup(line, networks));
                if (!against.isEmpty()) {
                    row.add(ofGroup(line, against));
                    row.addAll(difference(line));
                }
            } else {
                networks.forEach(network -> row.add(ofOne(line, network)));
            }
            cells.add(row);
        }
        return how(networks.get(0).images(), statistics, l2) + "\n\n" + aligned(cells) + "\n" + notes(isGrouped);
    }

    /** On what and by what it was measured, in a sentence. */
    public static String how(long images, BatchStatistics statistics, boolean l2) {
        return String.format(
                Locale.ROOT,
                "Measured on %,d training images without augmentation, batch norm by %s, loss %s the L2 term.",
                images,
                statistics == BatchStatistics.EVALUATION ? "its running statistics" : "each batch's own statistics",
                l2 ? "with" : "without");
    }

    private static String groupName(List<Row> rows) {
        String first = rows.get(0).name();
        return rows.size() == 1 ? first : first + " and " + (rows.size() - 1) + " more";
    }

    private static String ofOne(Line line, Row row) {
        double value = row.figure(line.name());
        String text = shown(line, row, value);
        return line.error().isEmpty() || !row.figures().containsKey(line.error())
                ? text
                : text + " ± " + NumberText.significant(row.figure(line.error()));
    }

    private static String shown(Line line, Row row, double value) {
        return line.name().equals(JUDGE)
                ? NumberText.fixed(NumberText.shown(row.judge(), value), NumberText.decimals(row.judge()))
                : NumberText.significant(value);
    }

    private static String ofGroup(Line line, List<Row> rows) {
        double[] values = values(line, rows);
        double mean = DoubleStream.of(values).average().orElse(Double.NaN);
        if (rows.size() == 1) {
            return ofOne(line, rows.get(0));
        }
        double squares =
                DoubleStream.of(values).map(v -> (v - mean) * (v - mean)).sum();
        return shown(line, rows.get(0), mean) + " ± "
                + shown(line, rows.get(0), Math.sqrt(squares / (values.length - 1)));
    }

    private static double[] values(Line line, List<Row> rows) {
        return rows.stream().mapToDouble(row -> row.figure(line.name())).toArray();
    }

    /** In pairs of a seed each; empty where they are no pairs, or one is. */
    private Optional<PairedTest> test(Line line) {
        List<Row> one = bySeed(networks);
        List<Row> other = bySeed(against);
        List<Long> seeds = one.stream().map(Row::seed).toList();
        boolean isPaired = one.size() > 1
                && seeds.stream().distinct().count() == one.size()
                && seeds.equals(other.stream().map(Row::seed).toList());
        return isPaired ? Optional.of(PairedTest.of(values(line, one), values(line, other))) : Optional.empty();
    }

    private static List<Row> bySeed(List<Row> rows) {
        return rows.stream().sorted(Comparator.comparingLong(Row::seed)).toList();
    }

    private List<String> difference(Line line) {
        Row any = networks.get(0);
        double difference = DoubleStream.of(values(line, networks)).average().orElse(Double.NaN)
                - DoubleStream.of(values(line, against)).average().orElse(Double.NaN);
        String interval = test(line)
                .filter(PairedTest::measuresNoise)
                .map(test -> shown(line, any, test.low()) + " to " + shown(line, any, test.high()))
                .orElse(NumberText.UNKNOWN);
        return List.of(shown(line, any, difference), interval);
    }

    private String notes(boolean isGrouped) {
        List<String> notes = new ArrayList<>();
        if (isGrouped) {
            notes.add(
                    "Mean ± standard deviation over the networks; intervals are those of the paired t-test over seeds.");
        } else {
            for (Row row : networks) {
                if (row.series().containsKey("eigenvalues")) {
                    notes.add("Largest eigenvalues of " + row.name() + ": "
                            + String.join(
                                    ", ",
                                    row.series().get("eigenvalues").stream()
                                            .map(NumberText::significant)
                                            .toList())
                            + ".");
                }
            }
            notes.add("After ± : of the top eigenvalue its residual, of the trace its standard error.");
        }
        notes.add(
                "SAM sharpness is the rise of the loss within ρ that gradient ascent found, the Lipschitz constant the largest"
                        + " gradient norm it met there.");
        return String.join("\n", notes) + "\n";
    }

    private static String aligned(List<List<String>> cells) {
        int columns = cells.get(0).size();
        int[] widths = new int[columns];
        cells.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String space = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + space : "  " + space + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** For programs. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("batchNorm", statistics.text());
        fields.put("l2", l2);
        fields.put("effort", effort);
        fields.put("networks", networks.stream().map(SharpnessTable::fields).toList());
        if (!against.isEmpty()) {
            fields.put("against", against.stream().map(SharpnessTable::fields).toList());
            Map<String, Object> differences = new LinkedHashMap<>();
            lines().forEach(line -> test(line).ifPresent(test -> differences.put(line.name(), test)));
            fields.put("differences", differences);
        }
        return fields;
    }

    private static Map<String, Object> fields(Row row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("network", row.name());
        fields.put("seed", row.seed());
        fields.put("step", row.step());
        fields.put("images", row.images());
        row.figures().forEach((name, value) -> {
            String called =
                    name.equals(JUDGE) ? Figure.joined(row.split(), row.judge().name()) : name;
            fields.put(called, Double.isFinite(value) ? value : null);
        });
        fields.putAll(row.series());
        return fields;
    }
}
