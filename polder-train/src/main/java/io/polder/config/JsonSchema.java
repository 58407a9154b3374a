package io.polder.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** A {@link Schema} as a JSON Schema. */
final class JsonSchema {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private JsonSchema() {}

    static String of(String title, Schema.Group root) {
        ObjectNode json = JSON.objectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", title);
        return json.setAll(group(root)).toPrettyString() + "\n";
    }

    private static ObjectNode part(Part part) {
        ObjectNode json = JSON.objectNode().put("description", part.field().about());
        ObjectNode value = of(part.schema());
        json.setAll(part.mayBeNull() ? anyOf(List.of(type("null"), value)) : value);
        if (!part.isRequired()) {
            json.set("default", fallback(part));
        }
        return json;
    }

    /** A number, a truth value, null and {} are the same in JSON; anything else is a name. */
    private static JsonNode fallback(Part part) {
        String fallback = part.field().fallback();
        boolean isName = part.schema() instanceof Schema.Word
                || part.schema() instanceof Schema.Choice
                || part.schema() instanceof Schema.Group && !fallback.equals("{}");
        return isName && !fallback.equals("null") ? JSON.textNode(fallback) : JSON.rawValueNode(new RawValue(fallback));
    }

    private static ObjectNode of(Schema schema) {
        if (schema instanceof Schema.Text text) {
            return type("string").put("pattern", text.pattern() == null ? "\\S" : "^" + text.pattern() + "$");
        } else if (schema instanceof Schema.Whole whole) {
            ObjectNode number = inRange("integer", whole.range());
            return whole.word().isEmpty() ? number : anyOf(List.of(oneOf(List.of(whole.word())), number));
        } else if (schema instanceof Schema.Decimal decimal) {
            return inRange("number", decimal.range());
        } else if (schema instanceof Schema.Flag) {
            return type("boolean");
        } else if (schema instanceof Schema.Word word) {
            return oneOf(word.names());
        } else if (schema instanceof Schema.NumberOrSpan either) {
            return anyOf(List.of(inRange("number", either.range()), choice(either.spans())));
        } else if (schema instanceof Schema.Items items) {
            return type("array").set("items", of(items.item()));
        } else if (schema instanceof Schema.Entries entries) {
            return type("object")
                    .<ObjectNode>set("propertyNames", of(entries.key()))
                    .set("additionalProperties", of(entries.value()));
        } else if (schema instanceof Schema.Choice choice) {
            return anyOf(List.of(oneOf(choice.tags()), choice(choice)));
        } else if (schema instanceof Schema.Group group && group.shorthand() != null) {
            Part named = group.part(group.shorthand()).orElseThrow();
            List<ObjectNode> ways = new ArrayList<>(List.of(of(named.schema()), group(group)));
            plugins(group).forEach(plugin -> ways.add(group(group, plugin)));
            return anyOf(ways);
        }
        return schema instanceof Schema.Group group ? group(group) : JSON.objectNode();
    }

    private static ObjectNode choice(Schema.Choice choice) {
        Stream<ObjectNode> groups = choice.groups().stream()
                .map(group -> JSON.objectNode()
                        .put("description", group.about())
                        .setAll(object(choice.key(), group.tag(), group.parts())));
        return JSON.objectNode().set("oneOf", array(groups.toList()));
    }

    /** As it is without a plug-in. */
    private static ObjectNode group(Schema.Group group) {
        ObjectNode json = object(null, null, fields(group));
        List<String> plugins = plugins(group).stream().map(Schema.Group::tag).toList();
        if (!plugins.isEmpty()) {
            json.putObject("not").putObject("properties").set(group.shorthand(), oneOf(plugins));
        }
        return json;
    }

    /** With the fields of a plug-in beside the group's own. */
    private static ObjectNode group(Schema.Group group, Schema.Group plugin) {
        List<Part> parts = new ArrayList<>(fields(group));
        parts.removeIf(part -> part.name().equals(group.shorthand()));
        parts.addAll(plugin.parts());
        return JSON.objectNode()
                .put("description", plugin.about())
                .setAll(object(group.shorthand(), plugin.tag(), parts));
    }

    private static List<Part> fields(Schema.Group group) {
        return group.parts().stream().filter(part -> !part.field().beside()).toList();
    }

    private static List<Schema.Group> plugins(Schema.Group group) {
        return group.parts().stream()
                .filter(part -> part.field().beside())
                .flatMap(part -> ((Schema.Choice) part.schema()).groups().stream())
                .toList();
    }

    /** @param key the field that must be the tag; null if none has to */
    private static ObjectNode object(String key, String tag, List<Part> parts) {
        ObjectNode json = type("object").put("additionalProperties", false);
        ObjectNode properties = json.putObject("properties");
        ArrayNode required = json.putArray("required");
        if (key != null) {
            properties.putObject(key).put("const", tag);
            required.add(key);
        }
        parts.forEach(part -> properties.set(part.name(), part(part)));
        parts.stream().filter(Part::isRequired).map(Part::name).forEach(required::add);
        return json;
    }

    private static ObjectNode type(String type) {
        return JSON.objectNode().put("type", type);
    }

    private static ObjectNode anyOf(List<ObjectNode> ways) {
        return JSON.objectNode().set("anyOf", array(ways));
    }

    private static ObjectNode oneOf(List<String> names) {
        return JSON.objectNode()
                .set("enum", array(names.stream().map(JSON::textNode).toList()));
    }

    private static ArrayNode array(Collection<? extends JsonNode> items) {
        return JSON.arrayNode().addAll(items);
    }

    private static ObjectNode inRange(String type, Range range) {
        ObjectNode json = type(type);
        bound(json, "minimum", range.min());
        bound(json, "exclusiveMinimum", range.above());
        bound(json, "maximum", range.max());
        bound(json, "exclusiveMaximum", range.below());
        return json;
    }

    private static void bound(ObjectNode json, String keyword, double bound) {
        if (Double.isFinite(bound) && bound == Math.rint(bound)) {
            json.put(keyword, (long) bound);
        } else if (Double.isFinite(bound)) {
            json.put(keyword, bound);
        }
    }
}
