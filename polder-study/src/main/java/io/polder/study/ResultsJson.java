package io.polder.study;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code results.json}: a {@link Comparison}, field by field. */
public final class ResultsJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .addModule(new NumbersAndTimes())
            .build();

    private ResultsJson() {}

    public static void write(Comparison comparison, Path file) throws IOException {
        WholeFile.write(file, MAPPER.writeValueAsString(comparison) + "\n");
    }

    public static Comparison read(Path file) throws IOException {
        return MAPPER.readValue(Files.readString(file), Comparison.class);
    }
}
