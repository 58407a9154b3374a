package io.polder.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Writes a JSON Schema. */
final class JsonSchema {
    private final JsonGenerator json;

    private JsonSchema(JsonGenerator json) {
        this.json = json;
    }

    static String of(String title, Shape.Group root) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeStringField("$schema", "https://json-schema.org/draft/2020-12/schema");
            json.writeStringField("title", title);
            new JsonSchema(json).group(root);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory can be written to", e);
        }
        return text + "\n";
    }

    private void part(Part part) throws IOException {
        json.writeObjectFieldStart(part.name());
        json.writeStringField("description", part.field().about());
        if (part.mayBeNull()) {
            json.writeArrayFieldStart("anyOf");
            json.writeStartObject();
            json.writeStringField("type", "null");
            json.writeEndObject();
            json.writeStartObject();
            shape(part.shape());
            json.writeEndObject();
            json.writeEndArray();
        } else {
            shape(part.shape());
        }
        if (!part.isRequired()) {
            json.writeFieldName("default");
            fallback(part);
        }
        json.writeEndObject();
    }

    /** A number, a truth value, null and {} are the same in JSON; anything else is a name. */
    private void fallback(Part part) throws IOException {
        String fallback = part.field().fallback();
        boolean isName = part.shape() instanceof Shape.Word
                || part.shape() instanceof Shape.Choice
                || part.shape() instanceof Shape.Group && !fallback.equals("{}");
        if (isName && !fallback.equals("null")) {
            json.writeString(fallback);
        } else {
            json.writeRawValue(fallback);
        }
    }

    private void shape(Shape shape) throws IOException {
        if (shape instanceof Shape.Text text) {
            json.writeStringField("type", "string");
            json.writeStringField("pattern", text.pattern() == null ? "\\S" : "^" + text.pattern() + "$");
        } else if (shape instanceof Shape.Whole whole) {
            json.writeStringField("type", "integer");
            range(whole.range());
        } else if (shape instanceof Shape.Decimal decimal) {
            json.writeStringField("type", "number");
            range(decimal.range());
        } else if (shape instanceof Shape.Flag) {
            json.writeStringField("type", "boolean");
        } else if (shape instanceof Shape.Word word) {
            names(word.names());
        } else if (shape instanceof Shape.NumberOrWord either) {
            anyOf(() -> names(List.of(either.word().value())), () -> shape(either.number()));
        } else if (shape instanceof Shape.NumberOrSpan either) {
            anyOf(() -> shape(new Shape.Decimal(either.range())), () -> choice(either.spans()));
        } else if (shape instanceof Shape.Items items) {
            json.writeStringField("type", "array");
            inside("items", items.item());
        } else if (shape instanceof Shape.Entries entries) {
            json.writeStringField("type", "object");
            inside("propertyNames", entries.key());
            inside("additionalProperties", entries.value());
        } else if (shape instanceof Shape.Choice choice) {
            anyOf(() -> names(choice.tags()), () -> choice(choice));
        } else if (shape instanceof Shape.Group group) {
            if (group.shorthand() == null) {
                group(group);
            } else {
                Part named = group.part(group.shorthand()).orElseThrow();
                List<Writing> ways = new ArrayList<>(List.of(() -> shape(named.shape()), () -> group(group)));
                plugins(group).forEach(plugin -> ways.add(() -> group(group, plugin)));
                anyOf(ways.toArray(Writing[]::new));
            }
        }
    }

    private void inside(String keyword, Shape shape) throws IOException {
        json.writeObjectFieldStart(keyword);
        shape(shape);
        json.writeEndObject();
    }

    private void choice(Shape.Choice choice) throws IOException {
        json.writeArrayFieldStart("oneOf");
        for (Shape.Group group : choice.groups()) {
            json.writeStartObject();
            json.writeStringField("description", group.about());
            object(choice.key(), group.tag(), group.parts());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** As it is without a plug-in. */
    private void group(Shape.Group group) throws IOException {
        object(null, null, fields(group));
        List<String> plugins = plugins(group).stream().map(Shape.Group::tag).toList();
        if (!plugins.isEmpty()) {
            json.writeObjectFieldStart("not");
            json.writeObjectFieldStart("properties");
            json.writeObjectFieldStart(group.shorthand());
            names(plugins);
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndObject();
        }
    }

    /** With the fields of a plug-in beside the group's own. */
    private void group(Shape.Group group, Shape.Group plugin) throws IOException {
        json.writeStringField("description", plugin.about());
        List<Part> parts = new ArrayList<>(fields(group));
        parts.removeIf(part -> part.name().equals(group.shorthand()));
        parts.addAll(plugin.parts());
        object(group.shorthand(), plugin.tag(), parts);
    }

    private static List<Part> fields(Shape.Group group) {
        return group.parts().stream().filter(part -> !part.field().beside()).toList();
    }

    private static List<Shape.Group> plugins(Shape.Group group) {
        return group.parts().stream()
                .filter(part -> part.field().beside())
                .flatMap(part -> ((Shape.Choice) part.shape()).groups().stream())
                .toList();
    }

    /** @param key the field that must be the tag; null if none has to */
    private void object(String key, String tag, List<Part> parts) throws IOException {
        json.writeStringField("type", "object");
        json.writeBooleanField("additionalProperties", false);
        json.writeObjectFieldStart("properties");
        if (key != null) {
            json.writeObjectFieldStart(key);
            json.writeStringField("const", tag);
            json.writeEndObject();
        }
        for (Part part : parts) {
            part(part);
        }
        json.writeEndObject();
        json.writeArrayFieldStart("required");
        if (key != null) {
            json.writeString(key);
        }
        for (Part part : parts) {
            if (part.isRequired()) {
                json.writeString(part.name());
            }
        }
        json.writeEndArray();
    }

    /** What may throw while it writes. */
    @FunctionalInterface
    private interface Writing {
        void write() throws IOException;
    }

    private void anyOf(Writing... ways) throws IOException {
        json.writeArrayFieldStart("anyOf");
        for (Writing way : ways) {
            json.writeStartObject();
            way.write();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void names(List<String> names) throws IOException {
        json.writeArrayFieldStart("enum");
        for (String name : names) {
            json.writeString(name);
        }
        json.writeEndArray();
    }

    private void range(Range range) throws IOException {
        bound("minimum", range.min());
        bound("exclusiveMinimum", range.above());
        bound("maximum", range.max());
        bound("exclusiveMaximum", range.below());
    }

    private void bound(String keyword, double bound) throws IOException {
        if (Double.isFinite(bound)) {
            json.writeFieldName(keyword);
            if (bound == Math.rint(bound)) {
                json.writeNumber((long) bound);
            } else {
                json.writeNumber(bound);
            }
        }
    }
}
