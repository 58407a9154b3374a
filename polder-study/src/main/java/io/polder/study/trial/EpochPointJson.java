package io.polder.study.trial;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import io.polder.train.Figure;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A point of a curve: its figures stand beside the other numbers, as {@code trainError} and {@code testError}. */
final class EpochPointJson {
    private static final String TRAIN = "train";
    private static final String TEST = "test";

    private EpochPointJson() {}

    static final class Writer extends JsonSerializer<EpochPoint> {
        @Override
        public void serialize(EpochPoint point, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeStartObject();
            json.writeNumberField("epoch", point.epoch());
            write(json, "trainLoss", point.trainLoss());
            write(json, TRAIN, point.training());
            write(json, "testLoss", point.testLoss());
            write(json, TEST, point.test());
            write(json, "gradientNorm", point.gradientNorm());
            write(json, "parameterNorm", point.parameterNorm());
            write(json, "learningRate", point.learningRate());
            json.writeEndObject();
        }

        private static void write(JsonGenerator json, String word, Map<String, Double> figures) throws IOException {
            for (Map.Entry<String, Double> figure : new TreeMap<>(figures).entrySet()) {
                write(json, Figure.joined(word, figure.getKey()), figure.getValue());
            }
        }

        private static void write(JsonGenerator json, String name, double value) throws IOException {
            json.writeFieldName(name);
            if (Double.isFinite(value)) {
                json.writeNumber(value);
            } else {
                json.writeNull();
            }
        }
    }

    static final class Reader extends JsonDeserializer<EpochPoint> {
        @Override
        public EpochPoint deserialize(JsonParser json, DeserializationContext context) throws IOException {
            if (!json.isExpectedStartObjectToken()) {
                context.reportInputMismatch(EpochPoint.class, "an epoch must be an object");
            }
            Map<String, Double> numbers = new HashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value.isNumeric() || value == JsonToken.VALUE_NULL) {
                    numbers.put(name, value.isNumeric() ? json.getDoubleValue() : Double.NaN);
                }
                json.skipChildren(); // a newer version may have more to say
            }
            return new EpochPoint(
                    (int) taken(numbers, "epoch", context),
                    taken(numbers, "trainLoss", context),
                    figures(numbers, TRAIN),
                    taken(numbers, "testLoss", context),
                    figures(numbers, TEST),
                    taken(numbers, "gradientNorm", context),
                    taken(numbers, "parameterNorm", context),
                    taken(numbers, "learningRate", context));
        }

        private static double taken(Map<String, Double> numbers, String name, DeserializationContext context)
                throws IOException {
            Double value = numbers.remove(name);
            return value == null ? context.reportInputMismatch(EpochPoint.class, "%s is missing", name) : value;
        }

        /** {@code error} of {@code trainError}; the loss is taken by now. */
        private static Map<String, Double> figures(Map<String, Double> numbers, String word) {
            Map<String, Double> figures = new HashMap<>();
            numbers.forEach((field, value) -> Figure.without(word, field).ifPresent(name -> figures.put(name, value)));
            return figures;
        }
    }
}
