package io.polder.config;

/** The fields of a record and of those in it, as a table in Markdown. */
public final class FieldTable {
    private final StringBuilder table =
            new StringBuilder("| Field | Value | Default | What |\n| --- | --- | --- | --- |\n");

    private FieldTable() {}

    public static String of(Class<? extends Record> type) {
        FieldTable table = new FieldTable();
        table.group(Schema.group(type), "", "");
        return table.table.toString();
    }

    private void group(Schema.Group group, String path, String of) {
        for (Part part : group.parts()) {
            if (part.field().beside()) {
                choice((Schema.Choice) part.schema(), path.substring(0, path.length() - 1));
                continue;
            }
            row(path + part.name(), of, expected(part.schema()), part);
            if (part.schema() instanceof Schema.Group inner) {
                group(inner, path + part.name() + ".", of);
            } else if (part.schema() instanceof Schema.Choice choice) {
                choice(choice, path + part.name());
            }
        }
    }

    private void choice(Schema.Choice choice, String path) {
        for (Schema.Group group : choice.groups()) {
            table.append("| `%s.%s: %s` | | | %s |\n".formatted(path, choice.key(), group.tag(), group.about()));
            group(group, path + ".", " (" + group.tag() + ")");
        }
    }

    private void row(String path, String of, String expected, Part part) {
        String fallback = part.isRequired() ? "required" : "`" + part.field().fallback() + "`";
        String hashed = part.field().determinesResult() ? "" : " Not hashed.";
        table.append("| `%s`%s | %s | %s | %s%s |\n"
                .formatted(path, of, expected, fallback, part.field().about(), hashed));
    }

    private static String expected(Schema schema) {
        return schema instanceof Schema.Group ? "fields" : schema.expected();
    }
}
