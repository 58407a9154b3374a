package io.polder.config;

import io.polder.files.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Text and overrides to a record. Goes on after a mistake, so that all of them are told at once: a field that is wrong is left
 * out, and the rules about contradictions judge the others.
 */
final class Reader<T extends Record> {
    private final Format<T> format;
    private final Schema.Group type;
    private final Mistakes mistakes = new Mistakes();

    Reader(Format<T> format) {
        this.format = format;
        this.type = Schema.group(format.type());
    }

    static String text(Path file, String noun, int longest) throws IOException {
        byte[] bytes;
        try (InputStream stream = Files.newInputStream(file)) {
            bytes = stream.readNBytes(longest + 1);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) { // of a file that is open, such as a directory: it does not know the name
            throw new FileSystemException(file.toString(), null, Reason.of(e));
        }
        if (bytes.length > longest) { // and the rest was not read
            throw new ConfigException(
                    List.of(file + ": has more than " + longest + " bytes, which no " + noun + " has"));
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ConfigException(List.of(file + ": is no text in UTF-8, which a " + noun + " must be"));
        }
    }

    T read(String text, String fileName, List<String> overrides) {
        Origin start = new Origin(fileName, 1);
        Optional<Node> file = parse(text, line -> new Origin(fileName, line), mistakes);
        if (file.isEmpty() && mistakes.isEmpty()) {
            mistakes.add(start, "", "has no " + format.noun() + " in it");
        } else if (file.isPresent() && !(file.get() instanceof Node.Mapping)) {
            mistakes.add(file.get().origin(), "", "is no " + format.noun() + "; it must be " + type.expected());
        }
        boolean isReadable = file.isPresent() && file.get() instanceof Node.Mapping;
        Node.Mapping root = isReadable ? (Node.Mapping) file.get() : Node.Mapping.empty(start);
        override(root, overrides);
        if (!isReadable) {
            mistakes.throwIfAny(); // of which there is one: a file with nothing in it
        }
        var binder = new Binder(type, mistakes);
        Values values = binder.bind(root);
        binder.tell(format.rules().apply(values));
        mistakes.throwIfAny();
        return values.as(format.type());
    }

    private Optional<Node> parse(String text, IntFunction<Origin> origins, Mistakes found) {
        if (text.length() > format.longest()) {
            found.add(
                    origins.apply(1),
                    "",
                    "has " + text.length() + " characters; a " + format.noun() + " has at most " + format.longest());
            return Optional.empty();
        }
        return YamlTree.parse(text, origins, format.noun(), found);
    }

    private void override(Node.Mapping root, List<String> overrides) {
        Set<String> given = new HashSet<>();
        for (String override : overrides) {
            int equals = override.indexOf('=');
            if (equals < 1) {
                mistakes.add(
                        Origin.OVERRIDE, "", Mistakes.quote(override) + " must be path=value, such as data.batch=128");
                continue;
            }
            String path = override.substring(0, equals).strip();
            List<String> names = List.of(path.split("\\.", -1));
            if (names.stream().anyMatch(String::isBlank)) {
                mistakes.add(
                        Origin.OVERRIDE,
                        "",
                        Mistakes.quote(path)
                                + " is no path; it must be names of fields with dots in between, such as data.batch");
                continue;
            }
            var none = new Node.Scalar(Origin.OVERRIDE, "", true);
            var before = new Mistakes();
            Node value = parse(override.substring(equals + 1), line -> Origin.OVERRIDE, before)
                    .orElse(none);
            if (before.isEmpty()) {
                given.add(path);
                put(root, names, value);
            } else {
                before.copyTo(mistakes, path);
            }
        }
        for (List<String> pair : format.oneOf()) {
            makeRoom(root, pair.get(0), pair.get(1), given);
            makeRoom(root, pair.get(1), pair.get(0), given);
        }
    }

    /** Puts a value at a path, making groups on the way there where there are none yet. */
    private void put(Node.Mapping root, List<String> path, Node value) {
        Node.Mapping group = root;
        Optional<Schema> schema = Optional.of(type);
        for (int i = 0; i < path.size() - 1; i++) {
            String name = path.get(i);
            schema = schema.flatMap(above -> inside(above, name));
            Node.Entry entry = group.entries().get(name);
            Optional<Node.Mapping> next =
                    entry == null ? Optional.of(Node.Mapping.empty(Origin.OVERRIDE)) : asMapping(entry.value(), schema);
            if (next.isEmpty()) {
                mistakes.add(
                        Origin.OVERRIDE,
                        String.join(".", path),
                        String.join(".", path.subList(0, i + 1)) + " is a single value and has no fields");
                return;
            }
            group.put(name, entry == null ? Origin.OVERRIDE : entry.origin(), next.get());
            group = next.get();
        }
        group.put(path.get(path.size() - 1), Origin.OVERRIDE, value);
    }

    private static Optional<Schema> inside(Schema schema, String name) {
        List<Schema.Group> groups = new ArrayList<>();
        if (schema instanceof Schema.Group group) {
            groups.add(group);
        } else if (schema instanceof Schema.Choice choice) {
            groups.addAll(choice.groups());
        }
        return groups.stream()
                .flatMap(group -> group.part(name).stream())
                .map(Part::schema)
                .findFirst();
    }

    /** A name or a number that is short for a group is written out, so that an override can add to it. */
    private static Optional<Node.Mapping> asMapping(Node node, Optional<Schema> schema) {
        if (node instanceof Node.Mapping mapping) {
            return Optional.of(mapping);
        }
        if (!(node instanceof Node.Scalar scalar)) {
            return Optional.empty();
        }
        var mapping = Node.Mapping.empty(scalar.origin());
        if (scalar.isNull()) {
            return Optional.of(mapping);
        }
        if (schema.orElse(null) instanceof Schema.Choice choice) {
            mapping.put(choice.key(), scalar.origin(), scalar);
        } else if (schema.orElse(null) instanceof Schema.Group group && group.shorthand() != null) {
            mapping.put(group.shorthand(), scalar.origin(), scalar);
        } else {
            return Optional.empty();
        }
        return Optional.of(mapping);
    }

    /** Removes the one of a pair that the file has, if only the other was overridden. */
    private static void makeRoom(Node.Mapping root, String overridden, String other, Set<String> given) {
        if (!given.contains(overridden) || given.contains(other)) {
            return;
        }
        Node.Mapping group = root;
        String[] names = other.split("\\.");
        for (int i = 0; i < names.length - 1; i++) {
            Node.Entry entry = group.entries().get(names[i]);
            if (entry == null || !(entry.value() instanceof Node.Mapping mapping)) {
                return;
            }
            group = mapping;
        }
        String name = overridden.substring(overridden.lastIndexOf('.') + 1);
        Node.Entry entry = group.entries().get(name);
        boolean isNull = entry == null || (entry.value() instanceof Node.Scalar scalar && scalar.isNull());
        if (!isNull) {
            group.entries().remove(names[names.length - 1]);
        }
    }
}
