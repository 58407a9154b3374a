package io.polder.config;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The values of a group's fields: of a record, or of one that is still being read. In the latter a field that was written wrongly is
 * not there, and whoever asks for it is told so: the rules then judge the rest.
 */
public final class Values {
    private final Schema.Group group;
    private final Map<String, Object> byName = new LinkedHashMap<>();

    Values(Schema.Group group) {
        this.group = group;
    }

    public static Values of(Record record) {
        Values values = new Values(Schema.group(record.getClass()));
        values.group.parts().forEach(part -> values.put(part, part.of(record)));
        return values;
    }

    /**
     * For the constructors of records.
     *
     * @param components all of them, in order
     * @throws IllegalArgumentException if one is out of its range
     */
    public static Values checked(Class<? extends Record> type, Object... components) {
        Values values = new Values(Schema.group(type));
        List<Part> parts = values.group.parts();
        if (parts.size() != components.length) {
            throw new AssertionError(type + " has " + parts.size() + " components, not " + components.length);
        }
        for (int i = 0; i < components.length; i++) {
            Part part = parts.get(i);
            Object value = components[i];
            if (value == null ? !part.mayBeNull() : !part.schema().allows(value)) {
                throw new IllegalArgumentException(part.name() + " is " + value + ": it must be " + part.expected());
            }
            values.put(part, value);
        }
        return values;
    }

    void put(Part part, Object value) {
        byName.put(part.name(), inside(part.schema(), value));
    }

    /** With another value of one of its own fields. */
    public Values with(String name, Object value) {
        put(group.part(name).orElseThrow(), value);
        return this;
    }

    /** The record that these are the values of, checked anew. */
    public <T extends Record> T as(Class<T> type) {
        return type.cast(build());
    }

    /** Records that are groups as their values, wherever they are. */
    private static Object inside(Schema schema, Object value) {
        if (value instanceof Record record && (schema instanceof Schema.Group || schema instanceof Schema.Choice)) {
            return of(record);
        } else if (value instanceof List<?> list && schema instanceof Schema.Items items) {
            return list.stream().map(item -> inside(items.item(), item)).toList();
        } else if (value instanceof Map<?, ?> map && schema instanceof Schema.Entries entries) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(key, inside(entries.value(), each)));
            return Collections.unmodifiableMap(copy);
        }
        return value;
    }

    Schema.Group group() {
        return group;
    }

    /** Whether the fields at these paths are all there; null counts. */
    public boolean know(String... paths) {
        for (String path : paths) {
            Values parent = parent(path);
            if (parent == null || !parent.byName.containsKey(last(path))) {
                return false;
            }
        }
        return true;
    }

    /** The value at a path, which is null where the file has null; of a group its values, of a list those of its items. */
    public <T> T get(String path, Class<T> type) {
        return type.cast(Objects.requireNonNull(parent(path), path).byName.get(last(path)));
    }

    /** What the short form of a group says where nothing else in it does; null where there is no such form. */
    Object onlyShorthand() {
        boolean isOnly = group.shorthand() != null
                && byName.entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue() == null || entry.getKey().equals(group.shorthand()));
        return isOnly ? byName.get(group.shorthand()) : null;
    }

    /** The group at a path, or null if there is none. */
    public Values at(String path) {
        return know(path) && get(path, Object.class) instanceof Values values ? values : null;
    }

    /** Whether there is a record of that type at the path. */
    public boolean isA(String path, Class<?> type) {
        Values values = at(path);
        return values != null && type.isAssignableFrom(values.group.type());
    }

    private Values parent(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? this : at(path.substring(0, dot));
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** The canonical text: every field, in the order of the records. Reads back to an equal record. */
    public String toYaml() {
        return YamlWriter.text(this, false);
    }

    /** What the canonical text says, in maps, lists, texts and numbers. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        ((Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(toYaml()))
                .forEach((name, value) -> fields.put((String) name, value));
        return fields;
    }

    /** The canonical text of what determines a result, to be hashed: without what is null, and what came later and is the default, so that old hashes stay as they are. */
    public String toHash() {
        return YamlWriter.text(this, true);
    }

    private static Object built(Object value) {
        if (value instanceof Values values) {
            return values.build();
        } else if (value instanceof List<?> list) {
            return list.stream().map(Values::built).toList();
        } else if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(key, built(each)));
            return Collections.unmodifiableMap(copy);
        }
        return value;
    }

    /** The record, if every field is there and right. */
    Record build() {
        List<Class<?>> types = new ArrayList<>();
        List<Object> arguments = new ArrayList<>();
        for (Part part : group.parts()) {
            Object value = byName.get(part.name());
            types.add(part.component().getType());
            arguments.add(built(value));
        }
        try {
            var constructor = group.type().getDeclaredConstructor(types.toArray(Class<?>[]::new));
            constructor.setAccessible(true); // of a record that is not public
            return constructor.newInstance(arguments.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new AssertionError(e);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("a record has a constructor of its components", e);
        }
    }
}
