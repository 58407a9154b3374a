package io.polder.config;

import io.polder.text.Nearest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Gives the {@link Node}s of a file the types that its {@link Shape} asks for, and notes where they do not fit. */
final class Binder {
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,30}");
    static final Pattern DECIMAL =
            Pattern.compile("[-+]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][-+]?[0-9]{1,5})?");
    private static final Pattern SPECIAL_NUMBER =
            Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)|0[xo][0-9a-fA-F]+");
    private static final Pattern TRUTH = Pattern.compile("true|True|TRUE|false|False|FALSE");

    private final Shape.Group type;
    private final Mistakes mistakes;
    /** Of the fields that were written, by their paths. */
    private final Map<String, Place> places = new HashMap<>();

    Binder(Shape.Group type, Mistakes mistakes) {
        this.type = type;
        this.mistakes = mistakes;
    }

    Values bind(Node.Mapping root) {
        places.put("", root.place());
        return group(type, root, "", null);
    }

    void tell(List<Format.Contradiction> broken) {
        broken.forEach(each -> mistakes.add(place(each.path()), each.path(), each.sentence()));
    }

    /** Of the field, or if it was left out of the group or list that it belongs to. */
    private Place place(String path) {
        Place known = places.get(path);
        int end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
        return known != null ? known : place(path.substring(0, Math.max(0, end)));
    }

    /** @param key the field that is not a part because it said which group this is; null if none did */
    private Values group(Shape.Group group, Node.Mapping node, String path, String key) {
        Values values = new Values(group);
        Set<String> names = new LinkedHashSet<>(group.names());
        if (key != null) {
            names.add(key);
        }
        Shape.Group told = group;
        for (Part part : group.parts()) {
            if (part.field().beside()) {
                Optional<Shape.Group> plugin = plugin(group, (Shape.Choice) part.shape(), node);
                values.put(part, plugin.map(known -> fields(known, node, path)).orElse(null));
                plugin.ifPresent(known -> names.addAll(known.names()));
                told = plugin.orElse(told);
            }
        }
        bind(group, node, path, values);
        for (var entry : node.entries().entrySet()) {
            if (!names.contains(entry.getKey())) {
                mistakes.add(
                        entry.getValue().place(), join(path, entry.getKey()), unknown(entry.getKey(), names, told));
            }
        }
        return values;
    }

    /** The plug-in that the group's own name is that of. */
    private static Optional<Shape.Group> plugin(Shape.Group group, Shape.Choice plugins, Node.Mapping node) {
        Node.Entry name = node.entries().get(group.shorthand());
        return name != null && name.value() instanceof Node.Scalar scalar
                ? plugins.group(scalar.text())
                : Optional.empty();
    }

    private Values fields(Shape.Group group, Node.Mapping node, String path) {
        Values values = new Values(group);
        bind(group, node, path, values);
        return values;
    }

    private void bind(Shape.Group group, Node.Mapping node, String path, Values values) {
        for (Part part : group.parts()) {
            if (part.field().beside()) {
                continue;
            }
            Node.Entry entry = node.entries().get(part.name());
            String partPath = join(path, part.name());
            if (entry != null) {
                places.put(partPath, entry.place());
                value(part, entry.value(), partPath).ifPresent(bound -> values.put(part, bound.value()));
            } else if (part.isRequired()) {
                mistakes.add(node.place(), partPath, "is missing; it must be " + part.expected());
            } else {
                value(part, part.fallback(), partPath).ifPresent(bound -> values.put(part, bound.value()));
            }
        }
    }

    private String unknown(String name, Set<String> names, Shape.Group group) {
        String wrong = group.tag() == null ? "there is no such field" : group.tag() + " has no such field";
        if (mistakes.areMoreThanTold()) {
            return wrong;
        }
        return Nearest.to(name, names)
                .map(near -> wrong + "; did you mean " + near + "?")
                .or(() -> elsewhere(name, type, "").map(path -> wrong + "; did you mean " + path + "?"))
                .orElse(wrong + "; the fields here are " + String.join(", ", names));
    }

    /** The path of a field of that very name in another group. */
    private static Optional<String> elsewhere(String name, Shape.Group group, String path) {
        if (group.part(name).isPresent()) {
            return Optional.of(join(path, name));
        }
        return group.parts().stream()
                .filter(part -> part.shape() instanceof Shape.Group)
                .flatMap(part -> elsewhere(name, (Shape.Group) part.shape(), join(path, part.name())).stream())
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
            mistakes.add(place(path), path, "is null; it must be " + part.expected());
            return Optional.empty();
        }
        Optional<?> value = shaped(part.shape(), node, path, part.expected());
        if (value.isPresent() && !part.shape().allows(value.get())) {
            refuse(path, node, part.expected(), List.of());
            return Optional.empty();
        }
        return value.map(Bound::new);
    }

    private Optional<?> shaped(Shape shape, Node node, String path, String expected) {
        if (shape instanceof Shape.Group group) {
            return mapping(node, group.shorthand(), path, expected).map(mapping -> group(group, mapping, path, null));
        } else if (shape instanceof Shape.Choice choice) {
            return mapping(node, choice.key(), path, expected).flatMap(mapping -> chosen(choice, mapping, path));
        } else if (shape instanceof Shape.NumberOrSpan either && node instanceof Node.Mapping mapping) {
            return span(either, mapping, path);
        } else if (shape instanceof Shape.Free) {
            return Optional.of(Yaml.of(node));
        } else if (shape instanceof Shape.Items items && node instanceof Node.Listing listing) {
            return items(items.item(), listing, path);
        } else if (shape instanceof Shape.Entries entries && node instanceof Node.Mapping mapping) {
            return entries(entries, mapping, path);
        } else if (node instanceof Node.Scalar scalar) {
            return scalar(shape, scalar, path, expected);
        }
        refuse(path, node, expected, List.of());
        return Optional.empty();
    }

    private Optional<Node.Mapping> mapping(Node node, String shorthand, String path, String expected) {
        if (node instanceof Node.Mapping mapping) {
            return Optional.of(mapping);
        }
        if (node instanceof Node.Scalar scalar && shorthand != null) {
            var mapping = Node.Mapping.empty(scalar.place());
            mapping.put(shorthand, scalar.place(), scalar);
            return Optional.of(mapping);
        }
        refuse(path, node, expected, List.of());
        return Optional.empty();
    }

    private Optional<Values> chosen(Shape.Choice choice, Node.Mapping mapping, String path) {
        String keyPath = join(path, choice.key());
        Node.Entry key = mapping.entries().get(choice.key());
        if (key == null) {
            mistakes.add(mapping.place(), keyPath, "is missing; it must be " + choice.expected());
            return Optional.empty();
        }
        places.put(keyPath, key.place());
        Optional<Shape.Group> group =
                key.value() instanceof Node.Scalar tag ? choice.group(tag.text()) : Optional.empty();
        if (group.isEmpty()) {
            refuse(keyPath, key.value(), choice.expected(), choice.tags());
        }
        return group.map(known -> group(known, mapping, path, choice.key()));
    }

    /** It is whole or a mistake: no rule looks at a part of one. */
    private Optional<Record> span(Shape.NumberOrSpan either, Node.Mapping mapping, String path) {
        return chosen(either.spans(), mapping, path)
                .filter(values -> values.know(values.group().names().toArray(String[]::new)))
                .map(Values::build);
    }

    /** A list of which each item is at least of the right kind. */
    private Optional<?> items(Shape shape, Node.Listing listing, String path) {
        List<Object> found = new ArrayList<>();
        for (int i = 0; i < listing.items().size(); i++) {
            Node item = listing.items().get(i);
            inside(shape, item, item.place(), path + "[" + i + "]").ifPresent(found::add);
        }
        return Optional.of(List.copyOf(found))
                .filter(all -> all.size() == listing.items().size());
    }

    private Optional<?> entries(Shape.Entries shape, Node.Mapping mapping, String path) {
        Map<String, Object> found = new LinkedHashMap<>();
        mapping.entries().forEach((key, entry) -> {
            if (shape.key().allows(key)) {
                inside(shape.value(), entry.value(), entry.place(), join(path, key))
                        .ifPresent(value -> found.put(key, value));
            } else {
                mistakes.add(
                        entry.place(),
                        path,
                        "has " + Mistakes.quote(key) + "; it must have "
                                + shape.key().words());
            }
        });
        return Optional.of(Collections.unmodifiableMap(found))
                .filter(all -> all.size() == mapping.entries().size());
    }

    /** A value of a list or a map. */
    private Optional<?> inside(Shape shape, Node node, Place place, String path) {
        places.put(path, place);
        boolean isNull = node instanceof Node.Scalar scalar && scalar.isNull() && !(shape instanceof Shape.Free);
        Optional<?> value = isNull ? Optional.empty() : shaped(shape, node, path, shape.expected());
        if (isNull || (value.isPresent() && !shape.allows(value.get()))) {
            refuse(path, node, shape.expected(), List.of());
            return Optional.empty();
        }
        return value;
    }

    private Optional<?> scalar(Shape shape, Node.Scalar scalar, String path, String expected) {
        Optional<?> value = Optional.empty();
        List<String> names = List.of();
        if (shape instanceof Shape.Text) {
            // From a command line, where quotes are the shell's, a number is a text where a text is wanted.
            value = scalar.place().isOverride() || !isReadOtherwise(scalar)
                    ? Optional.of(scalar.text())
                    : Optional.empty();
        } else if (shape instanceof Shape.Whole whole) {
            value = whole(scalar, whole.isLong());
        } else if (shape instanceof Shape.Decimal) {
            value = decimal(scalar);
        } else if (shape instanceof Shape.Flag) {
            value = scalar.plain() && TRUTH.matcher(scalar.text()).matches()
                    ? Optional.of(Boolean.valueOf(scalar.text()))
                    : Optional.empty();
        } else if (shape instanceof Shape.Word word) {
            names = word.names();
            value = Optional.ofNullable(word.values().get(scalar.text()));
        } else if (shape instanceof Shape.NumberOrWord either) {
            names = List.of(either.word().value());
            value = (names.contains(scalar.text())
                            ? Optional.<Number>of(either.word().means())
                            : whole(scalar, either.number().isLong()).filter(either.number()::allows))
                    .map(number -> record(either.group(), number));
        } else if (shape instanceof Shape.NumberOrSpan either) {
            value = decimal(scalar).map(number -> record(either.constant(), number));
        }
        if (value.isEmpty()) {
            refuse(path, scalar, expected, names);
        }
        return value;
    }

    private static Record record(Shape.Group group, Object only) {
        Values values = new Values(group);
        values.put(group.parts().get(0), only);
        return values.build();
    }

    private static boolean isReadOtherwise(Node.Scalar scalar) {
        return scalar.plain()
                && (DECIMAL.matcher(scalar.text()).matches()
                        || SPECIAL_NUMBER.matcher(scalar.text()).matches()
                        || TRUTH.matcher(scalar.text()).matches());
    }

    private static Optional<Number> whole(Node.Scalar scalar, boolean isLong) {
        if (!scalar.plain() || !WHOLE.matcher(scalar.text()).matches()) {
            return Optional.empty();
        }
        try {
            return isLong ? Optional.of(Long.valueOf(scalar.text())) : Optional.of(Integer.valueOf(scalar.text()));
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
        mistakes.add(place(path), path, "is " + found + "; it must be " + expected + near);
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
