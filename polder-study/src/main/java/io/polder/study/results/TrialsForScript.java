package io.polder.study.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.study.NumberText;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.TrialOutcome;
import io.polder.train.Figure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Every trial for the report's script, as small as it can be: words once, recipes as the lines that differ from a first one, curves
 * thinned where there are thousands of them. {@code study.js} reads it.
 */
final class TrialsForScript {
    /** Of all curves together: about 5 MB of text. */
    private static final int MOST_POINTS = 400_000;

    private static final int LEAST_OF_A_CURVE = 24;
    private static final int MOST_OF_A_CURVE = 200;

    private final List<String> words = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    /** By their number of lines: recipes of a study mostly differ in a value or two. */
    private final Map<Integer, List<Integer>> templates = new LinkedHashMap<>();

    private TrialsForScript() {}

    /** Safe inside a script element. */
    static String json(StudyResult result) {
        try {
            return new JsonMapper()
                    .writeValueAsString(new TrialsForScript().all(result))
                    .replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new AssertionError("lists of numbers and texts have no reason to fail", e);
        }
    }

    private record Judge(String label, String heading, String unit, int decimals) {}

    private Map<String, Object> all(StudyResult result) {
        List<TrialOutcome> outcomes = result.outcomes();
        Map<String, String[]> belongings = belongings(result);
        int points = Math.max(LEAST_OF_A_CURVE, Math.min(MOST_OF_A_CURVE, MOST_POINTS / Math.max(1, outcomes.size())));
        Figure judge = result.figures().judge();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(
                "judge",
                new Judge(
                        judge.label(),
                        NumberText.heading(judge),
                        NumberText.unit(judge, " %"),
                        NumberText.decimals(judge)));
        all.put(
                "trials",
                outcomes.stream()
                        .map(outcome -> trial(outcome, belongings.get(outcome.id()), points))
                        .toList());
        all.put("words", words);
        all.put("templates", templates);
        return all;
    }

    /** Where each trial stands in the study: variant, stage or table, method for readers, settings. */
    private static Map<String, String[]> belongings(StudyResult result) {
        Map<String, String> labels = new HashMap<>();
        result.rows().forEach(row -> labels.put(row.method(), row.label()));
        Map<String, String[]> belongings = new HashMap<>();
        for (SearchStage stage : result.stages()) {
            for (Candidate candidate : stage.candidates()) {
                String settings = Settings.words(candidate.settings());
                for (TrialOutcome outcome : candidate.outcomes()) {
                    belongings.putIfAbsent(outcome.id(), new String[] {
                        stage.variant(),
                        stage.heading(),
                        labels.getOrDefault(outcome.method(), outcome.method()),
                        settings
                    });
                }
            }
        }
        for (ResultRow row : result.rows()) {
            String settings = Settings.words(row.settings());
            for (TrialOutcome outcome : row.outcomes()) {
                belongings.putIfAbsent(outcome.id(), new String[] {row.variant(), "table", row.label(), settings});
            }
        }
        return belongings;
    }

    private List<Object> trial(TrialOutcome outcome, String[] belongs, int points) {
        List<Object> trial = new ArrayList<>(List.of(outcome.id()));
        for (String word : belongs) {
            trial.add(place(word));
        }
        trial.add(outcome.seed());
        trial.add(outcome.status().ordinal());
        trial.add(outcome.evaluatedOn().equals(TrialOutcome.TEST) ? 0 : 1);
        trial.add(outcome.epochs());
        trial.add(number(NumberText.shown(outcome.judge(), outcome.last()), 4));
        trial.add(number(NumberText.shown(outcome.judge(), outcome.best()), 4));
        trial.add(number(outcome.last(Figure.loss()), 4));
        trial.add(number(outcome.gradientNorm(), 4));
        trial.add(number(outcome.seconds(), 4));
        trial.add(outcome.attempts());
        trial.add(outcome.started().getEpochSecond());
        trial.add(place(outcome.machine()));
        trial.add(place(outcome.reason()));
        trial.add(place(outcome.name()));
        trial.add(recipe(outcome.recipe()));
        trial.add(curve(outcome, points));
        return trial;
    }

    /** The number of lines, then where a line differs from the template of that number, and which it is instead. */
    private List<Integer> recipe(String recipe) {
        List<Integer> lines = recipe.lines().map(this::place).toList();
        List<Integer> template = templates.computeIfAbsent(lines.size(), size -> lines);
        List<Integer> differences = new ArrayList<>(List.of(lines.size()));
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).equals(template.get(i))) {
                differences.addAll(List.of(i, lines.get(i)));
            }
        }
        return differences;
    }

    private static List<List<Number>> curve(TrialOutcome outcome, int most) {
        List<EpochPoint> curve = outcome.curve();
        Figure judge = outcome.judge();
        int stride = Math.max(1, (curve.size() + most - 1) / most);
        List<EpochPoint> shown = IntStream.range(0, curve.size())
                .filter(i -> i % stride == 0 || i == curve.size() - 1)
                .mapToObj(curve::get)
                .toList();
        return List.of(
                series(shown, EpochPoint::epoch, 9),
                series(shown, point -> NumberText.shown(judge, point.test(judge)), 4),
                series(shown, EpochPoint::gradientNorm, 3));
    }

    private static List<Number> series(List<EpochPoint> points, ToDoubleFunction<EpochPoint> value, int digits) {
        return points.stream()
                .map(point -> number(value.applyAsDouble(point), digits))
                .toList();
    }

    /** So many significant digits, without trailing zeros; null for what is not finite. */
    private static Number number(double value, int digits) {
        if (!Double.isFinite(value)) {
            return null;
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e9) {
            return (long) value;
        }
        // BigDecimal would be exact and five times slower: of a million numbers that is felt.
        double scale = Math.pow(10, digits - 1 - (int) Math.floor(Math.log10(Math.abs(value))));
        double rounded = Math.rint(value * scale) / scale;
        return Double.isFinite(rounded) ? rounded : value;
    }

    private int place(String word) {
        return places.computeIfAbsent(word, each -> {
            words.add(each);
            return words.size() - 1;
        });
    }
}
