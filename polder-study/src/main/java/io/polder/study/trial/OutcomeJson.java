package io.polder.study.trial;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.polder.files.CheckedJson;
import io.polder.files.Reason;
import io.polder.files.WholeFile;
import io.polder.study.NumbersAndTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code outcome.json}: a {@link TrialOutcome}, field by field, with a checksum. */
public final class OutcomeJson {
    private static final JsonMapper PLAIN = mapper(new NumbersAndTimes());
    private static final JsonMapper LAZY = mapper(new NumbersAndTimes()
            .addDeserializer(List.class, new LazyCurve.Deserializer(PLAIN.readerFor(EpochPoint[].class))));

    private static final ObjectReader READER = LAZY.readerFor(TrialOutcome.class);
    private static final ObjectWriter WRITER = PLAIN.writerFor(TrialOutcome.class);

    private static JsonMapper mapper(SimpleModule module) {
        return JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                // A newer version may have more to say.
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                // Where a curve is cut out of it, not for messages.
                .enable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .addMixIn(TrialOutcome.class, Fields.class)
                .addModule(module)
                .build();
    }

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
                outcome.curve().size(); // reads it: nobody vouches for it
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
}
