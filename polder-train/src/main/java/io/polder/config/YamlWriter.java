package io.polder.config;

import java.util.List;
import java.util.Map;

/** The canonical text of a record. */
final class YamlWriter {
    private final StringBuilder text = new StringBuilder();
    private final boolean onlyWhatDeterminesTheResult;

    private YamlWriter(boolean onlyWhatDeterminesTheResult) {
        this.onlyWhatDeterminesTheResult = onlyWhatDeterminesTheResult;
    }

    static String text(Values values, boolean onlyWhatDeterminesTheResult) {
        var writer = new YamlWriter(onlyWhatDeterminesTheResult);
        writer.group(values, "");
        return writer.text.toString();
    }

    private void group(Values values, String indent) {
        for (Part part : values.group().parts()) {
            Object value = values.get(part.name(), Object.class);
            if (part.field().beside()) {
                if (value instanceof Values beside) {
                    group(beside, indent);
                }
            } else if (!onlyWhatDeterminesTheResult || isHashed(part.field(), value)) {
                text.append(indent).append(part.name()).append(':');
                value(value, part.schema(), indent + "  ");
            }
        }
    }

    private static boolean isHashed(Field field, Object value) {
        boolean asBefore = field.cameLater() && scalar(value).equals(field.fallback());
        return field.determinesResult() && value != null && !asBefore;
    }

    /** Ends the line that its name began. */
    private void value(Object value, Schema schema, String indent) {
        if (value instanceof Values values && values.onlyShorthand() != null) {
            line(scalar(values.onlyShorthand()));
        } else if (value instanceof Values values) {
            text.append('\n');
            if (schema instanceof Schema.Choice choice) {
                text.append(indent).append(choice.key()).append(':');
                line(values.group().tag());
            }
            group(values, indent);
        } else if (value != null && schema instanceof Schema.NumberOrSpan span) {
            Values values = Values.of((Record) value);
            if (values.group().equals(span.constant())) {
                line(Yaml.number(((Span) value).from()));
            } else {
                value(values, span.spans(), indent);
            }
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            text.append('\n');
            for (Object item : list) {
                text.append(indent).append('-');
                int start = text.length() + 1;
                value(item, ((Schema.Items) schema).item(), indent + "  ");
                if (text.charAt(start - 1) == '\n') { // the first field of a group stands beside the hyphen
                    text.replace(start - 1, start + indent.length() + 1, "");
                }
            }
        } else if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            text.append('\n');
            map.forEach((key, each) -> {
                text.append(indent).append(Yaml.quoted((String) key)).append(':');
                value(each, ((Schema.Entries) schema).value(), indent + "  ");
            });
        } else if (value != null && schema instanceof Schema.Whole whole && whole.isWord(value)) {
            line(whole.word());
        } else {
            line(scalar(value));
        }
    }

    private void line(String value) {
        text.append(' ').append(value).append('\n');
    }

    private static String scalar(Object value) {
        if (value instanceof Enum<?> constant) {
            return Yaml.quoted(Yaml.name(constant));
        } else if (value instanceof Double decimal) {
            return Yaml.number(decimal);
        } else if (value instanceof String string) {
            return Yaml.quoted(string);
        } else if (value instanceof Yaml yaml) {
            return yaml.text();
        } else if (value instanceof Map) {
            return "{}";
        }
        return String.valueOf(value); // a list is empty here, and [] in Java too
    }
}
