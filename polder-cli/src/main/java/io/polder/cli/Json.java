package io.polder.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.config.Plugins;
import io.polder.study.NumbersAndTimes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code --json} prints: one document for people to look at, too, or one line for each of several events. What is unknown is null. */
final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(new NumbersAndTimes()).build();

    private Json() {}

    static String document(Object fields) {
        return text(MAPPER.writerWithDefaultPrettyPrinter(), fields) + "\n";
    }

    static String line(Object fields) {
        return text(MAPPER.writer(), fields) + "\n";
    }

    /** What a list has of something that is known by a name and a sentence. */
    static Map<String, Object> named(String name, String about) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("about", about);
        return fields;
    }

    static List<Map<String, Object>> plugins(Class<?> kind) {
        return Plugins.called(kind).stream()
                .map(plugin -> named(plugin.value(), plugin.about()))
                .toList();
    }

    private static String text(ObjectWriter writer, Object fields) {
        try {
            return writer.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new AssertionError("maps, lists, numbers and texts have no reason to fail", e);
        }
    }
}
