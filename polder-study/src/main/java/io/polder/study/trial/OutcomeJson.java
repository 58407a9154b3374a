package io.polder.study.trial;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.files.CheckedJson;
import io.polder.files.Reason;
import io.polder.files.WholeFile;
import io.polder.study.NumbersAndTimes;
import io.polder.train.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code outcome.json}: a {@link TrialOutcome}, field by field, with a checksum. */
public final class OutcomeJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .annotationIntrospector(new AllButTheTask())
            // A newer version may have more to say.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // Where a curve is cut out of it, not for messages.
            .enable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .addMixIn(TrialOutcome.class, Fields.class)
            .addModule(new NumbersAndTimes())
            .build();

    private static final ObjectReader READER = JSON.readerFor(TrialOutcome.class);
    private static final ObjectWriter WRITER = JSON.writerFor(TrialOutcome.class);
    static final ObjectReader CURVES = JSON.readerFor(EpochPoint[].class);

    /** Of a file without a checksum, as older versions wrote it. */
    private static final String FIRST_FIELD = "id";

    private static final String ADVICE = "it counts as none, and ./polder study runs the trial again";

    private OutcomeJson() {}

    public static String text(TrialOutcome outcome) {
        try {
            return CheckedJson.with(WRITER.writeValueAsString(outcome)) + "\n";
        } catch (IOException e) {
            throw new AssertionError("a record of numbers and texts has no reason to fail", e);
        }
    }

    public static void write(TrialOutcome outcome, Path file) throws IOException {
        WholeFile.write(file, text(outcome));
    }

    /** @throws IOException a sentence with the file, if it cannot be read or is no outcome */
    public static TrialOutcome read(Path file) throws IOException {
        byte[] json;
        try {
            if (!Files.isRegularFile(file)) {
                throw new IOException("it is not a plain file"); // which may never end
            }
            json = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read (" + Reason.of(e) + "): " + ADVICE, e);
        }
        try {
            boolean isAsItWasWritten = CheckedJson.verify(json, FIRST_FIELD);
            TrialOutcome outcome = READER.readValue(json);
            if (!isAsItWasWritten) {
                TrialOutcome.requireCurve(outcome.figures(), outcome.curve()); // nobody vouches for it
            }
            return outcome;
        } catch (IOException | IllegalArgumentException e) {
            String reason = e instanceof JacksonException bad ? bad.getOriginalMessage() : e.getMessage();
            throw new IOException(file + " is no outcome of a trial (" + reason + "): " + ADVICE, e);
        }
    }

    /** {@code isDone} looks like a field, and is none. */
    @JsonAutoDetect(isGetterVisibility = JsonAutoDetect.Visibility.NONE)
    private interface Fields {}

    /** Every field must be there, but the one that says which task it was: the first had no name. */
    private static final class AllButTheTask extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasRequiredMarker(AnnotatedMember field) {
            return !field.getRawType().equals(Figures.class);
        }
    }

    /** What is none is a newer version's, and null: it is passed over. */
    static final class NumberIfAny extends JsonDeserializer<Double> {
        @Override
        public Double deserialize(JsonParser json, DeserializationContext context) throws IOException {
            boolean isNumber = json.currentToken().isNumeric();
            json.skipChildren();
            return isNumber ? json.getDoubleValue() : null;
        }

        @Override
        public Double getNullValue(DeserializationContext context) {
            return Double.NaN;
        }
    }
}
