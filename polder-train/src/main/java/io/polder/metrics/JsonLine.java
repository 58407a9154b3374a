package io.polder.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polder.files.CheckedJson;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.Figure;
import io.polder.train.Figures;
import io.polder.train.StepMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** A {@link RunRecord} as JSON and back. The package's documentation has the fields. */
final class JsonLine {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final String TEST = "test";
    private static final String PROBE = "probe";
    private static final String TEST_IMAGES = "testImages";

    private JsonLine() {}

    /** Without checksum and line feed. */
    static String encode(RunRecord record) {
        ObjectNode json = JSON.createObjectNode();
        if (record instanceof RunRecord.Step step) {
            write(json, step.metrics());
        } else if (record instanceof RunRecord.Epoch epoch) {
            write(json, epoch);
        } else if (record instanceof RunRecord.Event event) {
            json.put("kind", "event")
                    .put("what", event.what())
                    .put("step", event.step())
                    .put("message", event.message());
        }
        // To the millisecond, and not as a power of ten: people read these lines, too.
        json.put("time", BigDecimal.valueOf(record.time()).setScale(3, RoundingMode.HALF_EVEN));
        try {
            return JSON.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e); // never: it is written to memory
        }
    }

    /**
     * Empty where the line is of a kind that is not known here.
     *
     * @throws IOException if it is no record, or its checksum is another; older versions wrote none
     */
    static Optional<RunRecord> decode(byte[] line) throws IOException {
        CheckedJson.verify(line, "kind");
        if (!(JSON.readTree(line) instanceof ObjectNode json)) {
            throw new IOException("the line is not an object");
        }
        JsonNode kind = json.path("kind");
        if (!kind.isTextual()) {
            throw new IOException("the line has no kind");
        }
        double time = real(json, "time");
        return switch (kind.textValue()) {
            case "step" -> Optional.of(new RunRecord.Step(step(json), time));
            case "epoch" -> Optional.of(new RunRecord.Epoch(epoch(json), whole(json, "step"), time));
            case "event" ->
                Optional.of(new RunRecord.Event(
                        json.path("what").asText(),
                        whole(json, "step"),
                        json.path("message").asText(),
                        time));
            default -> Optional.empty();
        };
    }

    private static void write(ObjectNode json, StepMetrics step) {
        json.put("kind", "step").put("step", step.step()).put("epoch", step.epoch() + 1);
        number(json, "loss", step.loss());
        number(json, "gradientNorm", step.referenceNorm());
        number(json, "mixedNorm", step.norm());
        number(json, "parameterNorm", step.parameterNorm());
        number(json, "learningRate", step.learningRate());
        new TreeMap<>(step.figures()).forEach((name, value) -> number(json, name, value));
        number(json, "imagesPerSecond", step.imagesPerSecond());
    }

    private static void write(ObjectNode json, RunRecord.Epoch record) {
        EpochMetrics epoch = record.metrics();
        json.put("kind", "epoch")
                .put("epoch", epoch.epoch())
                .put("step", record.step())
                .put("steps", epoch.steps());
        number(json, "loss", epoch.loss());
        new TreeMap<>(epoch.figures()).forEach((name, value) -> number(json, name, value));
        number(json, "gradientNorm", epoch.gradientNorm());
        number(json, "parameterNorm", epoch.parameterNorm());
        number(json, "learningRate", epoch.learningRate());
        number(json, "imagesPerSecond", epoch.imagesPerSecond());
        number(json, "seconds", epoch.seconds());
        new TreeMap<>(epoch.probes()).forEach((name, value) -> number(json, Figure.joined(PROBE, name), value));
        epoch.test().ifPresent(test -> {
            new TreeMap<>(test.figures()).forEach((name, value) -> number(json, Figure.joined(TEST, name), value));
            json.put(TEST_IMAGES, test.examples());
        });
    }

    private static void number(ObjectNode json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, value);
        } else {
            json.putNull(name);
        }
    }

    private static StepMetrics step(ObjectNode json) throws IOException {
        return new StepMetrics(
                whole(json, "step"),
                count(json, "epoch") - 1,
                real(json, "loss"),
                real(json, "gradientNorm"),
                real(json, "mixedNorm"),
                real(json, "parameterNorm"),
                real(json, "learningRate"),
                figures(json, Optional::of),
                real(json, "imagesPerSecond"));
    }

    private static EpochMetrics epoch(ObjectNode json) throws IOException {
        Optional<Evaluation> test = json.has(TEST_IMAGES)
                ? Optional.of(new Evaluation(figures(json, JsonLine::ofTest), whole(json, TEST_IMAGES)))
                : Optional.empty();
        return new EpochMetrics(
                count(json, "epoch"),
                whole(json, "steps"),
                real(json, "loss"),
                figures(
                        json,
                        name -> ofTest(name).isPresent() || ofProbe(name).isPresent()
                                ? Optional.empty()
                                : Optional.of(name)),
                real(json, "gradientNorm"),
                real(json, "parameterNorm"),
                real(json, "learningRate"),
                real(json, "imagesPerSecond"),
                real(json, "seconds"),
                figures(json, JsonLine::ofProbe),
                test);
    }

    /** The figure of an evaluation that a field is. */
    private static Optional<String> ofTest(String field) {
        return Figure.without(TEST, field);
    }

    /** What was measured that a field is. */
    private static Optional<String> ofProbe(String field) {
        return Figure.without(PROBE, field);
    }

    /** @param named what the figure of a field is called; empty if it is none */
    private static Map<String, Double> figures(ObjectNode json, Function<String, Optional<String>> named) {
        Map<String, Double> figures = new LinkedHashMap<>();
        json.properties().forEach(field -> {
            JsonNode value = field.getValue();
            boolean isFigure = !Figures.TAKEN.contains(field.getKey())
                    && !field.getKey().equals(TEST_IMAGES)
                    && (value.isNumber() || value.isNull());
            if (isFigure) {
                named.apply(field.getKey())
                        .ifPresent(name -> figures.put(name, value.isNull() ? Double.NaN : value.doubleValue()));
            }
        });
        return figures;
    }

    private static double real(ObjectNode json, String name) throws IOException {
        JsonNode value = json.get(name);
        if (value == null || value.isNull()) {
            return Double.NaN;
        }
        if (value.isNumber()) {
            return value.doubleValue();
        }
        throw new IOException(name + " is not a number");
    }

    private static long whole(ObjectNode json, String name) throws IOException {
        JsonNode value = json.path(name);
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return value.longValue();
        }
        throw new IOException(name + " is not a whole number");
    }

    private static int count(ObjectNode json, String name) throws IOException {
        long value = whole(json, name);
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw new IOException(name + " is " + value + ": it must be at least 1 and below 2^31");
        }
        return (int) value;
    }
}
