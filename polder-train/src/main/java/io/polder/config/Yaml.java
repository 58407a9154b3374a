package io.polder.config;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A part of a file that is YAML of any shape, kept for somebody else to read.
 *
 * @param text on one line
 * @param scalar what a single value says, without quotes; null of a list or a mapping
 */
public record Yaml(String text, String scalar) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9._/-]*");
    private static final Pattern READ_OTHERWISE = Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n");
    private static final Pattern PLAIN_ANYWHERE = Pattern.compile("[A-Za-z0-9._+/~-]*");

    /** Whether it is a number as files have them. */
    public boolean isNumber() {
        return scalar != null && Binder.DECIMAL.matcher(scalar).matches();
    }

    static Yaml of(Node node) {
        return new Yaml(flow(node), node instanceof Node.Scalar scalar ? scalar.text() : null);
    }

    private static String flow(Node node) {
        if (node instanceof Node.Scalar scalar) {
            // Inside a list or a mapping a comma or a brace would end it.
            boolean isPlain =
                    scalar.plain() && PLAIN_ANYWHERE.matcher(scalar.text()).matches();
            return isPlain ? scalar.text() : inQuotes(scalar.text());
        } else if (node instanceof Node.Mapping mapping) {
            return mapping.entries().entrySet().stream()
                    .map(entry -> quoted(entry.getKey()) + ": "
                            + flow(entry.getValue().value()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return ((Node.Listing) node).items().stream().map(Yaml::flow).collect(Collectors.joining(", ", "[", "]"));
    }

    /** In lower case and with hyphens. */
    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The shortest text that reads back to the same number. */
    public static String number(double value) {
        return Double.toString(value).toLowerCase(Locale.ROOT);
    }

    /** In quotes unless every reader of YAML takes it for this very text without. */
    public static String quoted(String text) {
        return PLAIN.matcher(text).matches() && !READ_OTHERWISE.matcher(text).matches() ? text : inQuotes(text);
    }

    private static String inQuotes(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
