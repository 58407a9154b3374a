package io.polder.config;

import io.polder.text.Nearest;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What may stand at a path of a file, derived from the types of the records and their {@link Field}s. The reader, the checks of
 * the records, the schema and the table of the documentation all go by it.
 */
sealed interface Schema {
    /** To follow "it must be". */
    String expected();

    /** Whether a value of the right Java type is one of those allowed; groups check their own parts. */
    default boolean allows(Object value) {
        return true;
    }

    /** A text of one line. */
    record Text(Pattern pattern, String words) implements Schema {
        private static final int LONGEST = 4096;

        @Override
        public String expected() {
            return words.isEmpty() ? "a text of one line" : "a text of " + words;
        }

        @Override
        public boolean allows(Object value) {
            String text = (String) value;
            return !text.isBlank()
                    && text.length() <= LONGEST
                    && text.codePoints().noneMatch(Text::isUnprintable)
                    && (pattern == null || pattern.matcher(text).matches());
        }

        private static boolean isUnprintable(int c) {
            int type = Character.getType(c);
            return type == Character.CONTROL
                    || type == Character.SURROGATE
                    || type == Character.UNASSIGNED
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR
                    || c == 0xFEFF;
        }
    }

    /**
     * An int or a long.
     *
     * @param word that may be written instead; empty if none
     */
    record Whole(Range range, boolean isLong, String word) implements Schema {
        @Override
        public String expected() {
            return "a whole number" + range.words() + (word.isEmpty() ? "" : ", or " + word);
        }

        @Override
        public boolean allows(Object value) {
            return isWord(value) || range.contains(((Number) value).doubleValue());
        }

        boolean isWord(Object value) {
            return !word.isEmpty() && ((Number) value).longValue() == Field.WORD;
        }
    }

    record Decimal(Range range) implements Schema {
        @Override
        public String expected() {
            return "a number" + range.words();
        }

        @Override
        public boolean allows(Object value) {
            return range.contains((Double) value);
        }
    }

    record Flag() implements Schema {
        @Override
        public String expected() {
            return "true or false";
        }
    }

    /** A constant of an enum, or a text that is one of several, by how they are written. */
    record Word(Map<String, Object> values) implements Schema {
        @Override
        public String expected() {
            return Nearest.either(names());
        }

        @Override
        public boolean allows(Object value) {
            return values.containsValue(value);
        }

        List<String> names() {
            return List.copyOf(values.keySet());
        }
    }

    /** A {@link Span}: a number, or a choice of records that run from one number in the range to another. */
    record NumberOrSpan(Range range, Choice spans, Group constant) implements Schema {
        @Override
        public String expected() {
            return "a number" + range.words() + ", or a " + spans.key() + " of such numbers";
        }

        @Override
        public boolean allows(Object value) {
            Span span = (Span) value;
            return range.contains(span.from()) && range.contains(span.to());
        }
    }

    /** A list of things of one kind. */
    record Items(Schema item) implements Schema {
        @Override
        public String expected() {
            return "a list" + (item instanceof Free ? "" : ", each of which is " + item.expected());
        }

        @Override
        public boolean allows(Object value) {
            return ((List<?>) value).stream().allMatch(item::allows);
        }
    }

    /** Names, or whatever the pattern says, with values of one kind. */
    record Entries(Text key, Schema value) implements Schema {
        @Override
        public String expected() {
            return "a group of " + (key.words().isEmpty() ? "names" : key.words()) + " with values"
                    + (value instanceof Free ? "" : ", each of which is " + value.expected());
        }

        @Override
        public boolean allows(Object entries) {
            return ((Map<?, ?>) entries)
                    .entrySet().stream()
                            .allMatch(entry -> key.allows(entry.getKey()) && value.allows(entry.getValue()));
        }
    }

    /** {@link Yaml}. */
    record Free() implements Schema {
        @Override
        public String expected() {
            return "anything";
        }
    }

    /**
     * A record.
     *
     * @param tag what it is called among others of a {@link Choice}; null if it is the only one
     * @param shorthand the field that a name by itself stands for; null if none
     * @param parts those of a {@link Field#beside()} are no fields themselves
     */
    record Group(Class<? extends Record> type, String tag, String about, String shorthand, List<Part> parts)
            implements Schema {
        @Override
        public String expected() {
            return "a group of fields (" + String.join(", ", names()) + ")";
        }

        List<String> names() {
            return parts.stream()
                    .filter(part -> !part.field().beside())
                    .map(Part::name)
                    .toList();
        }

        Optional<Part> part(String name) {
            return parts.stream()
                    .filter(part -> part.name().equals(name) && !part.field().beside())
                    .findFirst();
        }
    }

    /** One of several records, told apart by a field. */
    record Choice(String key, List<Group> groups) implements Schema {
        @Override
        public String expected() {
            return Nearest.either(tags());
        }

        List<String> tags() {
            return groups.stream().map(Group::tag).toList();
        }

        Optional<Group> group(String tag) {
            return groups.stream().filter(group -> group.tag().equals(tag)).findFirst();
        }
    }

    static Group group(Class<? extends Record> type) {
        // No computeIfAbsent: to make a group may make others.
        Group known = Groups.BY_TYPE.get(type);
        if (known == null) {
            known = newGroup(type);
            Groups.BY_TYPE.put(type, known);
        }
        return known;
    }

    /** Where groups that were made are kept. */
    final class Groups {
        private static final Map<Class<?>, Group> BY_TYPE = new ConcurrentHashMap<>();

        private Groups() {}
    }

    /** There may be other records by now. */
    static void forget() {
        Groups.BY_TYPE.clear();
    }

    private static Group newGroup(Class<? extends Record> type) {
        List<Part> parts = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Field field = Part.field(component).orElseThrow();
            parts.add(Part.of(component, field, of(component.getGenericType(), field)));
        }
        parts.stream()
                .filter(part -> part.field().beside())
                .flatMap(part -> ((Choice) part.schema()).groups().stream())
                .forEach(plugin -> requireApart(plugin, parts));
        Called called = type.getAnnotation(Called.class);
        ByName byName = type.getAnnotation(ByName.class);
        return new Group(
                type,
                called == null ? null : called.value(),
                called == null ? "" : called.about(),
                byName == null ? null : byName.value(),
                List.copyOf(parts));
    }

    private static Schema of(Type generic, Field field) {
        if (generic instanceof ParameterizedType collection) {
            Type[] arguments = collection.getActualTypeArguments();
            Schema inside = of(arguments[arguments.length - 1], field);
            return collection.getRawType() == List.class ? new Items(inside) : new Entries(text(field), inside);
        }
        Class<?> type = (Class<?>) generic;
        Range range = Range.of(field);
        if (type == String.class && field.names() != Names.class) {
            return word(field.names());
        } else if (type == String.class) {
            return text(field);
        } else if (type == int.class || type == Integer.class) {
            return new Whole(range, false, field.word());
        } else if (type == long.class || type == Long.class) {
            return new Whole(range, true, "");
        } else if (type == double.class || type == Double.class) {
            return new Decimal(range);
        } else if (type == boolean.class || type == Boolean.class) {
            return new Flag();
        } else if (type.isEnum()) {
            return new Word(ordered(
                    Arrays.stream(type.getEnumConstants()).map(Enum.class::cast), constant -> Yaml.name(constant)));
        } else if (type == Yaml.class) {
            return new Free();
        } else if (!type.isRecord() && !type.isAnnotationPresent(ByName.class)) {
            throw new IllegalArgumentException(
                    type + " cannot be the type of a field: it must be a text, a number, a truth"
                            + " value, an enum, a record, or a list or map of them");
        } else if (!type.isRecord()) {
            Class<? extends Record> number = type.getAnnotation(ByName.class).number();
            return number == Record.class ? choice(type) : new NumberOrSpan(range, choice(type), group(number));
        }
        return group(type.asSubclass(Record.class));
    }

    private static Text text(Field field) {
        return new Text(field.pattern().isEmpty() ? null : Pattern.compile(field.pattern()), field.patternInWords());
    }

    private static Word word(Class<? extends Names> names) {
        try {
            var constructor = names.getDeclaredConstructor();
            constructor.setAccessible(true); // of a class that is not public
            List<String> all = constructor.newInstance().names();
            Word word = new Word(ordered(all.stream(), name -> name));
            all.stream()
                    .filter(name -> Collections.frequency(all, name) > 1)
                    .findFirst()
                    .ifPresent(name -> {
                        throw new IllegalArgumentException(
                                "a plug-in has the name " + name + ", which there is already: leave it out");
                    });
            return word;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(names + " must have a constructor without arguments", e);
        }
    }

    private static <T> Map<String, Object> ordered(Stream<T> values, Function<T, String> name) {
        Map<String, Object> byName = new LinkedHashMap<>();
        values.forEach(value -> byName.put(name.apply(value), value));
        return Collections.unmodifiableMap(byName);
    }

    private static Choice choice(Class<?> type) {
        Map<String, Group> groups = new LinkedHashMap<>();
        records(type).map(Schema::group).forEach(group -> {
            Group other = groups.put(group.tag(), group);
            if (other != null) {
                throw new IllegalArgumentException("both " + other.type().getName() + " and "
                        + group.type().getName() + " are called " + group.tag() + ": leave out one of the plug-ins");
            }
        });
        return new Choice(type.getAnnotation(ByName.class).value(), List.copyOf(groups.values()));
    }

    private static Stream<Class<? extends Record>> records(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses())
                        .flatMap(each -> each.isRecord() ? Stream.of(each.asSubclass(Record.class)) : records(each))
                : Stream.concat(Arrays.stream(type.getAnnotation(ByName.class).known()), Plugins.of(type));
    }

    /** A field means one thing. */
    private static void requireApart(Group plugin, List<Part> parts) {
        for (Part part : parts) {
            if (plugin.part(part.name()).isPresent()) {
                throw new IllegalArgumentException(plugin.type().getName() + " has the field " + part.name()
                        + ", which " + part.component().getDeclaringRecord().getSimpleName()
                        + " has already: call it otherwise");
            }
        }
    }
}
