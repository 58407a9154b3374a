package io.polder.metrics;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.polder.files.CheckedJson;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A {@link RunRecord} as JSON and back. The package's documentation has the fields. */
final class JsonLine {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private JsonLine() {}

    /** Without checksum and line feed. */
    static String encode(RunRecord record) {
        var text = new StringWriter(320);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            if (record instanceof RunRecord.Step step) {
                write(json, step.metrics());
            } else if (record instanceof RunRecord.Epoch epoch) {
                write(json, epoch);
            } else if (record instanceof RunRecord.Event event) {
                json.writeStringField("kind", "event");
                json.writeStringField("what", event.what());
                json.writeNumberField("step", event.step());
                json.writeStringField("message", event.message());
            }
            // To the millisecond, and not as a power of ten: people read these lines, too.
            json.writeNumberField("time", BigDecimal.valueOf(record.time()).setScale(3, RoundingMode.HALF_EVEN));
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never: it is written to memory
        }
        return text.toString();
    }

    /**
     * Empty where the line is of a kind that is not known here.
     *
     * @throws IOException if it is no record, or its checksum is another; older versions wrote none
     */
    static Optional<RunRecord> decode(byte[] line) throws IOException {
        CheckedJson.verify(line, "kind");
        Map<String, Object> fields = fields(line);
        Object kind = fields.get("kind");
        double time = real(fields, "time");
        if ("step".equals(kind)) {
            return Optional.of(new RunRecord.Step(step(fields), time));
        } else if ("epoch".equals(kind)) {
            return Optional.of(new RunRecord.Epoch(epoch(fields), whole(fields, "step"), time));
        } else if ("event".equals(kind)) {
            return Optional.of(
                    new RunRecord.Event(text(fields, "what"), whole(fields, "step"), text(fields, "message"), time));
        } else if (kind instanceof String) {
            return Optional.empty();
        }
        throw new IOException("the line has no kind");
    }

    private static void write(JsonGenerator json, StepMetrics step) throws IOException {
        json.writeStringField("kind", "step");
        json.writeNumberField("step", step.step());
        json.writeNumberField("epoch", step.epoch() + 1);
        number(json, "loss", step.loss());
        number(json, "error", step.error());
        number(json, "gradientNorm", step.referenceNorm());
        number(json, "mixedNorm", step.norm());
        number(json, "parameterNorm", step.parameterNorm());
        number(json, "learningRate", step.learningRate());
        number(json, "r", step.r());
        number(json, "alpha", step.alpha());
        number(json, "imagesPerSecond", step.imagesPerSecond());
    }

    private static void write(JsonGenerator json, RunRecord.Epoch record) throws IOException {
        EpochMetrics epoch = record.metrics();
        json.writeStringField("kind", "epoch");
        json.writeNumberField("epoch", epoch.epoch());
        json.writeNumberField("step", record.step());
        json.writeNumberField("steps", epoch.steps());
        number(json, "loss", epoch.loss());
        number(json, "error", epoch.error());
        number(json, "gradientNorm", epoch.gradientNorm());
        number(json, "parameterNorm", epoch.parameterNorm());
        number(json, "learningRate", epoch.learningRate());
        number(json, "imagesPerSecond", epoch.imagesPerSecond());
        number(json, "seconds", epoch.seconds());
        if (epoch.test().isPresent()) {
            Evaluation test = epoch.test().get();
            number(json, "testLoss", test.loss());
            number(json, "testError", test.error());
            number(json, "testTop5Error", test.top5Error());
            json.writeNumberField("testImages", test.images());
        }
    }

    private static void number(JsonGenerator json, String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumberField(name, value);
        } else {
            json.writeNullField(name);
        }
    }

    private static StepMetrics step(Map<String, Object> fields) throws IOException {
        return new StepMetrics(
                whole(fields, "step"),
                count(fields, "epoch") - 1,
                real(fields, "loss"),
                real(fields, "error"),
                real(fields, "gradientNorm"),
                real(fields, "mixedNorm"),
                real(fields, "parameterNorm"),
                real(fields, "r"),
                real(fields, "alpha"),
                real(fields, "learningRate"),
                real(fields, "imagesPerSecond"));
    }

    private static EpochMetrics epoch(Map<String, Object> fields) throws IOException {
        Optional<Evaluation> test = fields.containsKey("testError")
                ? Optional.of(new Evaluation(
                        real(fields, "testLoss"),
                        real(fields, "testError"),
                        real(fields, "testTop5Error"),
                        whole(fields, "testImages")))
                : Optional.empty();
        return new EpochMetrics(
                count(fields, "epoch"),
                whole(fields, "steps"),
                real(fields, "loss"),
                real(fields, "error"),
                real(fields, "gradientNorm"),
                real(fields, "parameterNorm"),
                real(fields, "learningRate"),
                real(fields, "imagesPerSecond"),
                real(fields, "seconds"),
                test);
    }

    /** The scalars of an object; what is nested in it is skipped. */
    private static Map<String, Object> fields(byte[] line) throws IOException {
        Map<String, Object> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the line is not an object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (value) {
                    case VALUE_STRING -> fields.put(name, parser.getText());
                    case VALUE_NUMBER_INT -> fields.put(name, parser.getLongValue());
                    case VALUE_NUMBER_FLOAT -> fields.put(name, parser.getDoubleValue());
                    case VALUE_NULL -> fields.put(name, null);
                    default -> parser.skipChildren();
                }
            }
            if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw new IOException("the line is not one object");
            }
        }
        return fields;
    }

    private static double real(Map<String, Object> fields, String name) throws IOException {
        Object value = fields.get(name);
        if (value == null) {
            return Double.NaN;
        }
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new IOException(name + " is not a number");
    }

    private static long whole(Map<String, Object> fields, String name) throws IOException {
        if (fields.get(name) instanceof Long number) {
            return number;
        }
        throw new IOException(name + " is not a whole number");
    }

    private static int count(Map<String, Object> fields, String name) throws IOException {
        long value = whole(fields, name);
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw new IOException(name + " is " + value + ": it must be at least 1 and below 2^31");
        }
        return (int) value;
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }
}
