package io.polder.config;

import io.polder.text.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Gives the {@link Node}s of a file the types that its {@link Schema} asks for, and notes where they do not fit. */
final class Binder {
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,30}");
    static final Pattern DECIMAL =
            Pattern.compile("[-+]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][-+]?[0-9]{1,5})?");
    private static final Pattern SPECIAL_NUMBER =
            Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)|0[xo][0-9a-fA-F]+");
    private static final Pattern TRUTH = Pattern.compile("true|True|TRUE|false|False|FALSE");

    private final Schema.Group type;
    private final Mistakes mistakes;
    /** Of the fields that were written, by their paths. */
    private final Map<String, Origin> origins = new HashMap<>();

    Binder(Schema.Group type, Mistakes mistakes) {
        this.type = type;
        this.mistakes = mistakes;
    }

    Values bind(Node.Mapping root) {
        origins.put("", root.origin());
        return group(type, root, "", null);
    }

    void tell(List<Format.Contradiction> broken) {
        broken.forEach(each -> mistakes.add(origin(each.path()), each.path(), each.sentence()));
    }

    /** Of the field, or if it was left out of the group or list that it belongs to. */
    private Origin origin(String path) {
        Origin known = origins.get(path);
        int end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
        return known != null ? known : origin(path.substring(0, Math.max(0, end)));
    }

    /** @param key the field that is not a part because it said which group this is; null if none did */
    private Values group(Schema.Group group, Node.Mapping node, String path, String key) {
        Values values = fields(group, node, path);
        Set<String> names = new LinkedHashSet<>(group.names());
        if (key != null) {
            names.add(key);
        }
        Schema.Group told = group;
        for (Part part : group.parts()) {
            if (part.field().beside()) {
                Optional<Schema.Group> plugin = plugin(group, (Schema.Choice) part.schema(), node);
                values.put(part, plugin.map(known -> fields(known, node, path)).orElse(null));
                plugin.ifPresent(known -> names.addAll(known.names()));
                told = plugin.orElse(told);
            }
        }
        for (var entry : node.entries().entrySet()) {
            if (!names.contains(entry.getKey())) {
                mistakes.add(
                        entry.getValue().origin(), join(path, entry.getKey()), unknown(entry.getKey(), names, told));
            }
        }
        return values;
    }

    /** The plug-in that the group's own name is that of. */
    private static Optional<Schema.Group> plugin(Schema.Group group, Schema.Choice plugins, Node.Mapping node) {
        Node.Entry name = node.entries().get(group.shorthand());
        return name != null && name.value() instanceof Node.Scalar scalar
                ? plugins.group(scalar.text())
                : Optional.empty();
    }

    private Values fields(Schema.Group group, Node.Mapping node, String path) {
        Values values = new Values(group);
        for (Part part : group.parts()) {
            if (part.field().beside()) {
                continue;
            }
            Node.Entry entry = node.entries().get(part.name());
            String partPath = join(path, part.name());
            if (entry != null) {
                origins.put(partPath, entry.origin());
                value(part, entry.value(), partPath).ifPresent(bound -> values.put(part, bound.value()));
            } else if (part.isRequired()) {
                mistakes.add(node.origin(), partPath, "is missing; it must be " + part.expected());
            } else {
                value(part, part.fallback(), partPath).ifPresent(bound -> values.put(part, bound.value()));
            }
        }
        return values;
    }

    private String unknown(String name, Set<String> names, Schema.Group group) {
        String wrong = group.tag() == null ? "there is no such field" : group.tag() + " has no such field";
        if (mistakes.areMoreThanTold()) {
            return wrong;
        }
        return names.stream()
                .filter(each -> plain(each).equals(plain(name)))
                .findFirst()
                .or(() -> alsoCalled(name, group, ""))
                .or(() -> alsoCalled(name, type, ""))
                .or(() -> Nearest.to(name, names))
                .map(near -> wrong + "; did you mean " + near + "?")
                .or(() -> elsewhere(name, type, "").map(path -> wrong + "; did you mean " + path + "?"))
                .orElse(wrong + "; the fields here are " + String.join(", ", names));
    }

    /** The path of a field that other programs call so. */
    private static Optional<String> alsoCalled(String name, Schema.Group group, String path) {
        for (Part part : group.parts()) {
            String there = join(path, part.name());
            if (Arrays.stream(part.field().alsoCalled())
                    .anyMatch(other -> plain(other).equals(plain(name)))) {
                return Optional.of(there);
            }
            List<Schema.Group> inside = part.field().beside()
                    ? List.of()
                    : part.schema() instanceof Schema.Group one
                            ? List.of(one)
                            : part.schema() instanceof Schema.Choice choice ? choice.groups() : List.of();
            for (Schema.Group each : inside) {
                Optional<String> found = alsoCalled(name, each, there);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** What is to be written for a name that other programs have: {@code {name: sam, perturbation: adaptive}}. */
    private static Optional<String> alsoCalled(String name, Schema.Choice choice) {
        return choice.groups().stream()
                .flatMap(group ->
                        Arrays.stream(group.type().getAnnotation(Called.class).alsoCalled()))
                .filter(entry -> plain(entry.substring(0, entry.indexOf(':'))).equals(plain(name)))
                .map(entry -> entry.substring(entry.indexOf(':') + 1).strip())
                .findFirst();
    }

    /** The path of a field of that very name in another group. */
    private static Optional<String> elsewhere(String name, Schema.Group group, String path) {
        if (group.part(name).isPresent()) {
            return Optional.of(join(path, name));
        }
        return group.parts().stream()
                .filter(part -> part.schema() instanceof Schema.Group)
                .flatMap(part -> elsewhere(name, (Schema.Group) part.schema(), join(path, part.name())).stream())
                .findFirst();
    }

    /** A value that may be null; Optional has no place for it. */
    private record Bound(Object value) {}

    /** Empty after a mistake. */
    private Optional<Bound> value(Part part, Node node, String path) {
        if (node instanceof Node.Scalar scalar && scalar.isNull()) {
            if (part.mayBeNull()) {
                return Optional.of(new Bound(null));
            }
            mistakes.add(origin(path), path, "is null; it must be " + part.expected());
            return Optional.empty();
        }
        Optional<?> value = shaped(part.schema(), node, path, part.expected());
        if (value.isPresent() && !part.schema().allows(value.get())) {
            refuse(path, node, part.expected(), List.of());
            return Optional.empty();
        }
        return value.map(Bound::new);
    }

    private Optional<?> shaped(Schema schema, Node node, String path, String expected) {
        if (schema instanceof Schema.Group group) {
            return mapping(node, group.shorthand(), path, expected).map(mapping -> group(group, mapping, path, null));
        } else if (schema instanceof Schema.Choice choice) {
            return mapping(node, choice.key(), path, expected).flatMap(mapping -> chosen(choice, mapping, path));
        } else if (schema instanceof Schema.NumberOrSpan either && node instanceof Node.Mapping mapping) {
            return span(either, mapping, path);
        } else if (schema instanceof Schema.Free) {
            return Optional.of(Yaml.of(node));
        } else if (schema instanceof Schema.Items items && node instanceof Node.Listing listing) {
            return items(items.item(), listing, path);
        } else if (schema instanceof Schema.Entries entries && node instanceof Node.Mapping mapping) {
            return entries(entries, mapping, path);
        } else if (node instanceof Node.Scalar scalar) {
            return scalar(schema, scalar, path, expected);
        }
        refuse(path, node, expected, List.of());
        return Optional.empty();
    }

    private Optional<Node.Mapping> mapping(Node node, String shorthand, String path, String expected) {
        if (node instanceof Node.Mapping mapping) {
            return Optional.of(mapping);
        }
        if (node instanceof Node.Scalar scalar && shorthand != null) {
            var mapping = Node.Mapping.empty(scalar.origin());
            mapping.put(shorthand, scalar.origin(), scalar);
            return Optional.of(mapping);
        }
        refuse(path, node, expected, List.of());
        return Optional.empty();
    }

    private Optional<Values> chosen(Schema.Choice choice, Node.Mapping mapping, String path) {
        String keyPath = join(path, choice.key());
        Node.Entry key = mapping.entries().get(choice.key());
        if (key == null) {
            mistakes.add(mapping.origin(), keyPath, "is missing; it must be " + choice.expected());
            return Optional.empty();
        }
        origins.put(keyPath, key.origin());
        Optional<Schema.Group> group =
                key.value() instanceof Node.Scalar tag ? choice.group(tag.text()) : Optional.empty();
        if (group.isEmpty()) {
            Optional<String> meant =
                    key.value() instanceof Node.Scalar tag ? alsoCalled(tag.text(), choice) : Optional.empty();
            meant.ifPresentOrElse(
                    there -> mistakes.add(
                            origin(keyPath),
                            keyPath,
                            "is " + Mistakes.quote(((Node.Scalar) key.value()).text()) + "; it must be "
                                    + choice.expected() + "; did you mean " + there + "?"),
                    () -> refuse(keyPath, key.value(), choice.expected(), choice.tags()));
        }
        return group.map(known -> group(known, mapping, path, choice.key()));
    }

    /** It is whole or a mistake: no rule looks at a part of one. */
    private Optional<Record> span(Schema.NumberOrSpan either, Node.Mapping mapping, String path) {
        return chosen(either.spans(), mapping, path)
                .filter(values -> values.know(values.group().names().toArray(String[]::new)))
                .map(Values::build);
    }

    /** A list of which each item is at least of the right kind. */
    private Optional<?> items(Schema schema, Node.Listing listing, String path) {
        List<Object> found = new ArrayList<>();
        for (int i = 0; i < listing.items().size(); i++) {
            Node item = listing.items().get(i);
            inside(schema, item, item.origin(), path + "[" + i + "]").ifPresent(found::add);
        }
        return Optional.of(List.copyOf(found))
                .filter(all -> all.size() == listing.items().size());
    }

    private Optional<?> entries(Schema.Entries schema, Node.Mapping mapping, String path) {
        Map<String, Object> found = new LinkedHashMap<>();
        mapping.entries().forEach((key, entry) -> {
            if (schema.key().allows(key)) {
                inside(schema.value(), entry.value(), entry.origin(), join(path, key))
                        .ifPresent(value -> found.put(key, value));
            } else {
                mistakes.add(
                        entry.origin(),
                        path,
                        "has " + Mistakes.quote(key) + "; it must have "
                                + schema.key().words());
            }
        });
        return Optional.of(Collections.unmodifiableMap(found))
                .filter(all -> all.size() == mapping.entries().size());
    }

    /** A value of a list or a map. */
    private Optional<?> inside(Schema schema, Node node, Origin origin, String path) {
        origins.put(path, origin);
        boolean isNull = node instanceof Node.Scalar scalar && scalar.isNull() && !(schema instanceof Schema.Free);
        Optional<?> value = isNull ? Optional.empty() : shaped(schema, node, path, schema.expected());
        if (isNull || (value.isPresent() && !schema.allows(value.get()))) {
            refuse(path, node, schema.expected(), List.of());
            return Optional.empty();
        }
        return value;
    }

    private Optional<?> scalar(Schema schema, Node.Scalar scalar, String path, String expected) {
        Optional<?> value = Optional.empty();
        List<String> names = List.of();
        if (schema instanceof Schema.Text) {
            // From a command line, where quotes are the shell's, a number is a text where a text is wanted.
            value = scalar.origin().isOverride() || !isReadOtherwise(scalar)
                    ? Optional.of(scalar.text())
                    : Optional.empty();
        } else if (schema instanceof Schema.Whole whole) {
            names = whole.word().isEmpty() ? names : List.of(whole.word());
            value = whole(scalar, whole);
        } else if (schema instanceof Schema.Decimal) {
            value = decimal(scalar);
        } else if (schema instanceof Schema.Flag) {
            value = scalar.plain() && TRUTH.matcher(scalar.text()).matches()
                    ? Optional.of(Boolean.valueOf(scalar.text()))
                    : Optional.empty();
        } else if (schema instanceof Schema.Word word) {
            names = word.names();
            value = Optional.ofNullable(word.values().get(scalar.text()));
        } else if (schema instanceof Schema.NumberOrSpan either) {
            value = decimal(scalar).map(number -> constant(either.constant(), number));
        }
        if (value.isEmpty()) {
            refuse(path, scalar, expected, names);
        }
        return value;
    }

    private static Record constant(Schema.Group group, double number) {
        Values values = new Values(group);
        values.put(group.parts().get(0), number);
        return values.build();
    }

    private static boolean isReadOtherwise(Node.Scalar scalar) {
        return scalar.plain()
                && (DECIMAL.matcher(scalar.text()).matches()
                        || SPECIAL_NUMBER.matcher(scalar.text()).matches()
                        || TRUTH.matcher(scalar.text()).matches());
    }

    private static Optional<Number> whole(Node.Scalar scalar, Schema.Whole whole) {
        if (!whole.word().isEmpty() && whole.word().equals(scalar.text())) {
            return Optional.of(Field.WORD);
        }
        if (!scalar.plain() || !WHOLE.matcher(scalar.text()).matches()) {
            return Optional.empty();
        }
        try {
            Number number = whole.isLong() ? Long.valueOf(scalar.text()) : (Number) Integer.valueOf(scalar.text());
            return Optional.of(number).filter(value -> whole.range().contains(value.doubleValue()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Double> decimal(Node.Scalar scalar) {
        return scalar.plain() && DECIMAL.matcher(scalar.text()).matches()
                ? Optional.of(Double.valueOf(scalar.text())).filter(Double::isFinite)
                : Optional.empty();
    }

    private void refuse(String path, Node node, String expected, List<String> names) {
        String near = "";
        String found = "a group of fields";
        if (node instanceof Node.Scalar scalar) {
            boolean isQuoted = !scalar.plain()
                    && (DECIMAL.matcher(scalar.text()).matches()
                            || TRUTH.matcher(scalar.text()).matches());
            near = Nearest.to(scalar.text(), names)
                    .map(name -> "; did you mean " + name + "?")
                    .orElse(isQuoted && names.isEmpty() ? "; leave out the quotes" : "");
            found = Mistakes.quote(scalar.text());
        } else if (node instanceof Node.Listing) {
            found = "a list";
        }
        mistakes.add(origin(path), path, "is " + found + "; it must be " + expected + near);
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
