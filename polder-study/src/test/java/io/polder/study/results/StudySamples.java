package io.polder.study.results;

import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialOutcome.Status;
import io.polder.train.Figure;
import io.polder.train.Figures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Studies as they come out of a store, made up. */
final class StudySamples {
    static final String MACHINE = "AMD EPYC, 2 threads";
    private static final Map<String, String> LABELS =
            Map.of("standard", "Standard", "sam", "SAM", "gradient-norm-penalty", "Gradient-norm penalty");

    private StudySamples() {}

    /** The three methods with these errors, in percent, a seed each. */
    static StudyResult three(double[] standard, double[] sam, double[] penalty) {
        return new StudyResult(
                "sample",
                "A sample",
                List.of(
                        row("", "standard", settings(), "", standard),
                        row("", "sam", settings("scheme.r", "0.1"), "", sam),
                        row(
                                "",
                                "gradient-norm-penalty",
                                settings("scheme.r", "0.1", "scheme.alpha", "0.8"),
                                "",
                                penalty)),
                List.of(),
                3 * standard.length);
    }

    static ResultRow row(String variant, String method, Map<String, String> settings, String paper, double... errors) {
        List<TrialOutcome> outcomes = new ArrayList<>();
        for (int seed = 0; seed < errors.length; seed++) {
            outcomes.add(outcome(variant + method + settings, method, seed, errors[seed] / 100, TrialOutcome.TEST, 20));
        }
        return new ResultRow(variant, method, LABELS.get(method), settings, paper, errors.length, outcomes);
    }

    /** Judged by a figure of which more is better; values in percent. */
    static final Figure PRECISION =
            new Figure("meanAveragePrecision", "mean average precision", Figure.Unit.SHARE, Figure.Better.HIGHER);

    static final Figures TAGS = new Figures(
            PRECISION,
            List.of(),
            List.of(
                    Figure.loss(),
                    PRECISION,
                    new Figure("depth", "depth <b>", Figure.Unit.NUMBER, Figure.Better.LOWER)));

    /** The same study, as if each error had been a precision. */
    static StudyResult ofTags(StudyResult result) {
        return new StudyResult(
                result.name(),
                result.title(),
                result.rows().stream()
                        .map(row -> with(row, row.seeds(), ofTags(row.outcomes())))
                        .toList(),
                result.stages().stream()
                        .map(stage -> new SearchStage(
                                stage.variant(),
                                stage.title(),
                                stage.given(),
                                stage.candidates().stream()
                                        .map(each -> new Candidate(
                                                each.settings(), each.seeds(), ofTags(each.outcomes()), each.chosen()))
                                        .toList()))
                        .toList(),
                result.wanted());
    }

    private static List<TrialOutcome> ofTags(List<TrialOutcome> outcomes) {
        return outcomes.stream().map(StudySamples::ofTags).toList();
    }

    private static TrialOutcome ofTags(TrialOutcome outcome) {
        double depth = outcome.isDone() ? 1.25 : Double.NaN;
        return new TrialOutcome(
                outcome.id(),
                outcome.recipe(),
                outcome.name(),
                outcome.method(),
                outcome.seed(),
                outcome.status(),
                outcome.reason(),
                outcome.evaluatedOn(),
                outcome.epochs(),
                TAGS,
                TrialOutcome.numbers(TAGS, figure -> figure.equals(PRECISION) ? outcome.last() : depth, outcome.last()),
                outcome.gradientNorm(),
                outcome.parameterNorm(),
                outcome.seconds(),
                outcome.imagesPerSecond(),
                outcome.attempts(),
                outcome.started(),
                outcome.machine(),
                outcome.curve().stream()
                        .map(point -> new EpochPoint(
                                point.epoch(),
                                1,
                                Map.of(),
                                1,
                                Map.of(PRECISION.name(), point.test(outcome.judge())),
                                point.gradientNorm(),
                                1,
                                0.1))
                        .toList());
    }

    static ResultRow with(ResultRow row, int seeds, List<TrialOutcome> outcomes) {
        return new ResultRow(row.variant(), row.method(), row.label(), row.settings(), row.paper(), seeds, outcomes);
    }

    static Map<String, String> settings(String... pathsAndValues) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < pathsAndValues.length; i += 2) {
            settings.put(pathsAndValues[i], pathsAndValues[i + 1]);
        }
        return settings;
    }

    /** One that ended at an error, along a plausible course. NaN: it diverged. */
    static TrialOutcome outcome(String salt, String method, long seed, double error, String on, int epochs) {
        boolean diverged = Double.isNaN(error);
        int ran = diverged ? 3 : epochs;
        Random random = new Random(salt.hashCode() * 31L + seed);
        List<EpochPoint> curve = new ArrayList<>();
        double flat = method.equals("standard") ? 1 : 0.6;
        for (int epoch = 1; epoch <= ran; epoch++) {
            double left = Math.exp(-4.0 * epoch / epochs);
            double noise = epoch == epochs ? 0 : random.nextGaussian() * 0.006;
            double at = Math.min(1, Math.max(0, (diverged ? 0.9 : error) + 0.5 * left * left + noise));
            curve.add(new EpochPoint(
                    epoch,
                    2.3 * left,
                    Map.of("error", Math.max(0, 0.6 * left)),
                    2.3 * left + 0.4,
                    Map.of("error", epoch == epochs ? error : at),
                    flat * (0.2 + 2 * left + Math.abs(noise)),
                    20 + epoch * 0.3,
                    0.1 * left));
        }
        String id = String.format("%016x", random.nextLong())
                + String.format("%016x", random.nextLong())
                + String.format("%016x", salt.hashCode())
                + String.format("%016x", seed);
        return new TrialOutcome(
                id,
                recipe(method, seed, on, epochs),
                "quick-sample",
                method,
                seed,
                diverged ? Status.DIVERGED : Status.DONE,
                diverged ? "the loss of step 412 is NaN: lower the learning rate" : "",
                on,
                ran,
                null,
                numbers(error, diverged ? Double.NaN : 0.5),
                diverged ? Double.NaN : flat * 0.23,
                20,
                100 * (method.equals("standard") ? 1 : 2),
                (method.equals("standard") ? 1000 : 500) + random.nextInt(20),
                1,
                Instant.parse("2026-11-15T12:00:00Z").plusSeconds(seed),
                MACHINE,
                curve);
    }

    private static Map<String, Double> numbers(double error, double loss) {
        return Map.of("lastError", error, "bestError", error, "lastLoss", loss, "top5Error", error / 5);
    }

    static TrialOutcome on(String machine, TrialOutcome outcome) {
        return trained(outcome.imagesPerSecond(), machine, outcome);
    }

    static TrialOutcome trained(double imagesPerSecond, String machine, TrialOutcome outcome) {
        return new TrialOutcome(
                outcome.id(),
                outcome.recipe(),
                outcome.name(),
                outcome.method(),
                outcome.seed(),
                outcome.status(),
                outcome.reason(),
                outcome.evaluatedOn(),
                outcome.epochs(),
                outcome.task(),
                outcome.numbers(),
                outcome.gradientNorm(),
                outcome.parameterNorm(),
                outcome.seconds(),
                imagesPerSecond,
                outcome.attempts(),
                outcome.started(),
                machine,
                outcome.curve());
    }

    static TrialOutcome failed(TrialOutcome outcome) {
        return new TrialOutcome(
                outcome.id(),
                outcome.recipe(),
                outcome.name(),
                outcome.method(),
                outcome.seed(),
                Status.FAILED,
                "its process was killed (signal 9) 2 times: the machine may be out of memory",
                outcome.evaluatedOn(),
                2,
                null,
                numbers(Double.NaN, Double.NaN),
                Double.NaN,
                Double.NaN,
                12,
                900,
                2,
                outcome.started(),
                MACHINE,
                outcome.curve().subList(0, 2));
    }

    static String recipe(String method, long seed, String on, int epochs) {
        return """
                name: quick-sample
                seed: %d
                epochs: %d
                model:
                  name: wrn-16-2
                  classes: 10
                data:
                  name: cifar10
                  augment: basic
                  batch: 128
                  evaluateOn: %s
                scheme:
                  name: %s
                optimizer:
                  name: sgd
                  momentum: 0.9
                learningRate:
                  schedule: cosine
                  base: 0.1
                """.formatted(seed, epochs, on, method);
    }

    /** Two variants, the greedy search of one of them, a sweep over α in the other, a diverged and a failed trial. */
    static StudyResult whole() {
        Random random = new Random(7);
        List<ResultRow> rows = new ArrayList<>();
        rows.add(row(
                "Basic",
                "standard",
                settings("learningRate.base", "0.1"),
                "cifar10/WRN-28-10/basic",
                errors(random, 9.9)));
        rows.add(row("Basic", "sam", settings("scheme.r", "0.1"), "cifar10/WRN-28-10/basic", errors(random, 8.8)));
        rows.add(row(
                "Basic",
                "gradient-norm-penalty",
                settings("scheme.r", "0.1", "scheme.alpha", "0.7"),
                "cifar10/WRN-28-10/basic",
                errors(random, 8.3)));
        double[] some = errors(random, 9.2);
        some[3] = Double.NaN;
        rows.add(row(
                "Cutout",
                "standard",
                settings("learningRate.base", "0.1"),
                "cifar10/WRN-28-10/cutout",
                errors(random, 9.0)));
        rows.add(row("Cutout", "sam", settings("scheme.r", "0.1"), "cifar10/WRN-28-10/cutout", some));
        ResultRow last = row(
                "Cutout",
                "gradient-norm-penalty",
                settings("scheme.r", "0.1", "scheme.alpha", "0.8"),
                "cifar10/WRN-28-10/cutout",
                errors(random, 8.9));
        List<TrialOutcome> outcomes = new ArrayList<>(last.outcomes());
        outcomes.set(1, failed(outcomes.get(1)));
        rows.add(with(last, 5, outcomes));
        List<SearchStage> stages = new ArrayList<>();
        for (String variant : List.of("Basic", "Cutout")) {
            stages.add(stage(
                    variant,
                    "stage 1: standard training",
                    "standard",
                    settings(),
                    "learningRate.base",
                    List.of("0.05", "0.1"),
                    new double[] {11.2, 10.4}));
            stages.add(stage(
                    variant,
                    "stage 2: α = 1, r",
                    "sam",
                    settings(),
                    "scheme.r",
                    List.of("0.01", "0.02", "0.05", "0.1", "0.2"),
                    new double[] {10.2, 9.9, 9.5, 9.1, Double.NaN}));
            stages.add(stage(
                    variant,
                    "stage 3: α",
                    "gradient-norm-penalty",
                    settings("scheme.r", "0.1"),
                    "scheme.alpha",
                    List.of("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"),
                    new double[] {10.1, 9.9, 9.6, 9.2, 9.0, 8.8, 8.6, 8.7, 8.9}));
        }
        return new StudyResult("sample-study", "WRN-16-2 on 10,000 images of CIFAR-10", rows, stages, 62);
    }

    /** Errors against α for two radii, with standard training and SAM at the ends. */
    static StudyResult sweep() {
        Random random = new Random(11);
        List<ResultRow> rows = new ArrayList<>();
        rows.add(row("", "standard", settings(), "", errors(random, 9.9)));
        for (String r : List.of("0.05", "0.1")) {
            for (int tenth = 1; tenth <= 9; tenth++) {
                double alpha = tenth / 10.0;
                rows.add(row(
                        "",
                        "gradient-norm-penalty",
                        settings("scheme.r", r, "scheme.alpha", String.valueOf(alpha)),
                        "",
                        errors(random, 8.3 + 4 * Math.pow(alpha - 0.75, 2) + (r.equals("0.1") ? 0 : 0.3))));
            }
            rows.add(row("", "sam", settings("scheme.r", r), "", errors(random, r.equals("0.1") ? 8.7 : 9.0)));
        }
        return new StudyResult("parameters", "Error against α", rows, List.of(), 105);
    }

    private static double[] errors(Random random, double mean) {
        return random.doubles(5)
                .map(noise -> Math.round((mean + noise - 0.5) * 100) / 100.0)
                .toArray();
    }

    private static SearchStage stage(
            String variant,
            String title,
            String method,
            Map<String, String> given,
            String path,
            List<String> values,
            double[] errors) {
        int best = 0;
        for (int i = 0; i < errors.length; i++) {
            best = errors[i] < errors[best] ? i : best;
        }
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < errors.length; i++) {
            Map<String, String> settings = new LinkedHashMap<>(given);
            settings.put(path, values.get(i));
            candidates.add(new Candidate(
                    settings,
                    1,
                    List.of(outcome(variant + title + i, method, 0, errors[i] / 100, TrialOutcome.VALIDATION, 20)),
                    i == best));
        }
        return new SearchStage(variant, title, Map.of(), candidates);
    }
}
