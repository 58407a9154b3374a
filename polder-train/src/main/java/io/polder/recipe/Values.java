package io.polder.recipe;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The values of a group's fields: of a record, or of one that is still being read. In the latter a field that was written wrongly is
 * not there, and whoever asks for it is told so: the rules then judge the rest.
 */
final class Values {
    private final Shape.Group group;
    private final Map<String, Object> byName = new LinkedHashMap<>();

    Values(Shape.Group group) {
        this.group = group;
    }

    static Values of(Record record) {
        Values values = new Values(Shape.group(record.getClass()));
        values.group.parts().forEach(part -> values.put(part, part.of(record)));
        return values;
    }

    /**
     * For the constructors of records.
     *
     * @param components all of them, in order
     * @throws IllegalArgumentException if one is out of its range
     */
    static Values checked(Class<? extends Record> type, Object... components) {
        Values values = new Values(Shape.group(type));
        List<Part> parts = values.group.parts();
        if (parts.size() != components.length) {
            throw new AssertionError(type + " has " + parts.size() + " components, not " + components.length);
        }
        for (int i = 0; i < components.length; i++) {
            Part part = parts.get(i);
            Object value = components[i];
            if (value == null ? !part.mayBeNull() : !part.shape().allows(value)) {
                throw new IllegalArgumentException(part.name() + " is " + value + ": it must be " + part.expected());
            }
            values.put(part, value);
        }
        return values;
    }

    void put(Part part, Object value) {
        boolean isGroup = part.shape() instanceof Shape.Group || part.shape() instanceof Shape.Choice;
        byName.put(part.name(), isGroup && value instanceof Record record ? of(record) : value);
    }

    Shape.Group group() {
        return group;
    }

    /** Whether the fields at these paths are all there; null counts. */
    boolean know(String... paths) {
        for (String path : paths) {
            Values parent = parent(path);
            if (parent == null || !parent.byName.containsKey(last(path))) {
                return false;
            }
        }
        return true;
    }

    /** The value at a path, which is null where the recipe has null. */
    <T> T get(String path, Class<T> type) {
        return type.cast(Objects.requireNonNull(parent(path), path).byName.get(last(path)));
    }

    /** The group at a path, or null if there is none. */
    Values at(String path) {
        return know(path) && get(path, Object.class) instanceof Values values ? values : null;
    }

    /** Whether there is a record of that type at the path. */
    boolean isA(String path, Class<?> type) {
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

    /** The record, if every field is there and right. */
    Record build() {
        List<Class<?>> types = new ArrayList<>();
        List<Object> arguments = new ArrayList<>();
        for (Part part : group.parts()) {
            Object value = byName.get(part.name());
            types.add(part.component().getType());
            arguments.add(value instanceof Values values ? values.build() : value);
        }
        try {
            return group.type()
                    .getDeclaredConstructor(types.toArray(Class<?>[]::new))
                    .newInstance(arguments.toArray());
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
