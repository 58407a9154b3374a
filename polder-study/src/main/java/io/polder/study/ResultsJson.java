package io.polder.study;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * {@code results.json}: a {@link Comparison}, field by field. JSON has no NaN or infinity, so both are written as null,
 * and null is read as NaN.
 */
public final class ResultsJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .addModule(new SimpleModule()
                    .addSerializer(double.class, new NumberOrNull())
                    .addSerializer(Double.class, new NumberOrNull())
                    .addDeserializer(double.class, new NumberOrNaN())
                    .addSerializer(Instant.class, ToStringSerializer.instance)
                    .addDeserializer(Instant.class, new IsoInstant()))
            .build();

    private ResultsJson() {}

    public static void write(Comparison comparison, Path file) throws IOException {
        WholeFile.write(file, MAPPER.writeValueAsString(comparison) + "\n");
    }

    public static Comparison read(Path file) throws IOException {
        return MAPPER.readValue(Files.readString(file), Comparison.class);
    }

    private static final class NumberOrNull extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            if (Double.isFinite(value)) {
                json.writeNumber(value);
            } else {
                json.writeNull();
            }
        }
    }

    private static final class NumberOrNaN extends JsonDeserializer<Double> {
        @Override
        public Double deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return json.getDoubleValue();
        }

        @Override
        public Double getNullValue(DeserializationContext context) {
            return Double.NaN;
        }
    }

    private static final class IsoInstant extends JsonDeserializer<Instant> {
        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return Instant.parse(json.getText());
        }
    }
}
