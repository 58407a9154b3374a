package io.polder.study.results;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.polder.study.NumberText;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.TrialOutcome;
import io.polder.train.Figure;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Every trial for the report's script, as small as it can be: words once, recipes as the lines that differ from a first one, curves
 * thinned where there are thousands of them. {@code study.js} reads it.
 */
final class TrialData {
    /** Of all curves together: about 5 MB of text. */
    private static final int MOST_POINTS = 400_000;

    private static final int LEAST_OF_A_CURVE = 24;
    private static final int MOST_OF_A_CURVE = 200;

    private final List<String> words = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    /** By their number of lines: recipes of a study mostly differ in a value or two. */
    private final Map<Integer, List<Integer>> templates = new LinkedHashMap<>();

    private TrialData() {}

    /** Safe inside a script element. */
    static String json(StudyResult result) {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            new TrialData().write(result, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().replace("<", "\\u003c");
    }

    private void write(StudyResult result, JsonGenerator json) throws IOException {
        List<TrialOutcome> outcomes = result.outcomes();
        Map<String, String[]> belongings = belongings(result);
        int points = Math.max(LEAST_OF_A_CURVE, Math.min(MOST_OF_A_CURVE, MOST_POINTS / Math.max(1, outcomes.size())));
        Figure judge = result.figures().judge();
        json.writeStartObject();
        json.writeObjectFieldStart("judge");
        json.writeStringField("label", judge.label());
        json.writeStringField("heading", NumberText.heading(judge));
        json.writeStringField("unit", NumberText.unit(judge, " %"));
        json.writeNumberField("decimals", NumberText.decimals(judge));
        json.writeEndObject();
        json.writeArrayFieldStart("trials");
        for (TrialOutcome outcome : outcomes) {
            write(outcome, belongings.get(outcome.id()), points, json);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("words");
        for (String word : words) {
            json.writeString(word);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("templates");
        for (Map.Entry<Integer, List<Integer>> template : templates.entrySet()) {
            json.writeArrayFieldStart(String.valueOf(template.getKey()));
            for (int line : template.getValue()) {
                json.writeNumber(line);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
        json.writeEndObject();
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

    private void write(TrialOutcome outcome, String[] belongs, int points, JsonGenerator json) throws IOException {
        json.writeStartArray();
        json.writeString(outcome.id());
        for (String word : belongs) {
            json.writeNumber(place(word));
        }
        json.writeNumber(outcome.seed());
        json.writeNumber(outcome.status().ordinal());
        json.writeNumber(outcome.evaluatedOn().equals(TrialOutcome.TEST) ? 0 : 1);
        json.writeNumber(outcome.epochs());
        number(json, NumberText.shown(outcome.judge(), outcome.last()), 4);
        number(json, NumberText.shown(outcome.judge(), outcome.best()), 4);
        number(json, outcome.last(Figure.loss()), 4);
        number(json, outcome.gradientNorm(), 4);
        number(json, outcome.seconds(), 4);
        json.writeNumber(outcome.attempts());
        json.writeNumber(outcome.started().getEpochSecond());
        json.writeNumber(place(outcome.machine()));
        json.writeNumber(place(outcome.reason()));
        json.writeNumber(place(outcome.name()));
        recipe(json, outcome.recipe());
        curve(json, outcome, points);
        json.writeEndArray();
    }

    /** The number of lines, then where a line differs from the template of that number, and which it is instead. */
    private void recipe(JsonGenerator json, String recipe) throws IOException {
        List<Integer> lines = recipe.lines().map(this::place).toList();
        List<Integer> template = templates.computeIfAbsent(lines.size(), size -> lines);
        json.writeStartArray();
        json.writeNumber(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).equals(template.get(i))) {
                json.writeNumber(i);
                json.writeNumber(lines.get(i));
            }
        }
        json.writeEndArray();
    }

    private static void curve(JsonGenerator json, TrialOutcome outcome, int most) throws IOException {
        List<EpochPoint> curve = outcome.curve();
        Figure judge = outcome.judge();
        int stride = Math.max(1, (curve.size() + most - 1) / most);
        List<EpochPoint> shown = new ArrayList<>();
        for (int i = 0; i < curve.size(); i++) {
            if (i % stride == 0 || i == curve.size() - 1) {
                shown.add(curve.get(i));
            }
        }
        json.writeStartArray();
        series(json, shown, EpochPoint::epoch, 9);
        series(json, shown, point -> NumberText.shown(judge, point.test(judge)), 4);
        series(json, shown, EpochPoint::gradientNorm, 3);
        json.writeEndArray();
    }

    private static void series(
            JsonGenerator json, List<EpochPoint> points, ToDoubleFunction<EpochPoint> value, int digits)
            throws IOException {
        json.writeStartArray();
        for (EpochPoint point : points) {
            number(json, value.applyAsDouble(point), digits);
        }
        json.writeEndArray();
    }

    /** So many significant digits, without trailing zeros; null for what is not finite. */
    private static void number(JsonGenerator json, double value, int digits) throws IOException {
        if (!Double.isFinite(value)) {
            json.writeNull();
            return;
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e9) {
            json.writeNumber((long) value);
            return;
        }
        // BigDecimal would be exact and five times slower: of a million numbers that is felt.
        double scale = Math.pow(10, digits - 1 - (int) Math.floor(Math.log10(Math.abs(value))));
        double rounded = Math.rint(value * scale) / scale;
        json.writeNumber(Double.isFinite(rounded) ? rounded : value);
    }

    private int place(String word) {
        return places.computeIfAbsent(word, each -> {
            words.add(each);
            return words.size() - 1;
        });
    }
}
