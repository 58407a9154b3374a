package io.polder.study;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * How results are written as JSON. It has no NaN or infinity, so both are written as null, and null is read as NaN; times are texts of ISO
 * 8601.
 */
public final class NumbersAndTimes extends SimpleModule {
    private static final long serialVersionUID = 1;

    public NumbersAndTimes() {
        addSerializer(double.class, new NumberOrNull());
        addSerializer(Double.class, new NumberOrNull());
        addDeserializer(double.class, new NumberOrNaN());
        addSerializer(Instant.class, ToStringSerializer.instance);
        addDeserializer(Instant.class, new IsoInstant());
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
            try {
                return Instant.parse(json.getText());
            } catch (DateTimeParseException e) {
                return (Instant) context.handleWeirdStringValue(Instant.class, json.getText(), "it is no time");
            }
        }
    }
}
