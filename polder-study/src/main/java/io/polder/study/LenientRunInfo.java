package io.polder.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.files.CheckedJson;
import io.polder.train.Figures;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What {@code run.json} says about a run, to be shown. It is read leniently, unlike the {@link io.polder.run.RunInfo} that a run is
 * resumed from: a report of an older or newer run is better than none. Nothing but texts and numbers is kept; a list becomes its
 * elements with spaces between.
 *
 * @param figures of the run's task
 */
public record LenientRunInfo(Map<String, String> fields, Figures figures) {
    private static final LenientRunInfo NONE = new LenientRunInfo(Map.of());
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final int LARGEST = 1 << 20;

    public LenientRunInfo {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Of a run that says nothing of its task. */
    public LenientRunInfo(Map<String, String> fields) {
        this(fields, Figures.ofFile(null));
    }

    /** Empty where the file is not there, cannot be understood or does not match its checksum: nothing is better than what is wrong. */
    public static LenientRunInfo read(Path runDirectory) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        Path info = runDirectory.resolve("run.json");
        if (!Files.isRegularFile(info)) { // a pipe would be waited for
            return NONE;
        }
        try (var file = Files.newInputStream(info)) {
            byte[] json = file.readNBytes(LARGEST);
            if (!isAsWritten(json)) {
                return NONE;
            }
            JsonNode object = JSON.readTree(json);
            object.properties().forEach(field -> {
                String text = text(field.getValue());
                if (!text.isBlank()) {
                    fields.put(field.getKey(), text);
                }
            });
            return new LenientRunInfo(fields, figures(object.path("task")));
        } catch (NoSuchFileException | JsonProcessingException | CharConversionException e) {
            return NONE;
        }
    }

    private static Figures figures(JsonNode task) {
        try {
            return Figures.ofFile(task.isObject() ? JSON.treeToValue(task, Figures.class) : null);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Figures.ofFile(null);
        }
    }

    private static boolean isAsWritten(byte[] json) {
        try {
            CheckedJson.verify(json, "name");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Empty where it is not said. */
    public String get(String name) {
        return fields.getOrDefault(name, "");
    }

    OptionalLong number(String name) {
        String text = get(name);
        return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static String text(JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(LenientRunInfo::text)
                    .collect(Collectors.joining(" "));
        }
        return value.isNull() || value.isObject() ? "" : value.asText();
    }
}
