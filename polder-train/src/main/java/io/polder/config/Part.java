package io.polder.config;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;

/**
 * A field: a component of a record.
 *
 * @param fallback what stands for it when it is left out; null if it may not be
 */
record Part(RecordComponent component, Field field, Schema schema, Node fallback) {
    private static final Origin DEFAULT = new Origin("the default", 0);

    /** What is said of a component: its own, else that of an interface of the record. */
    static Optional<Field> field(RecordComponent component) {
        return Optional.ofNullable(component.getAnnotation(Field.class))
                .or(() -> ofInterfaces(component.getDeclaringRecord(), component.getName()));
    }

    private static Optional<Field> ofInterfaces(Class<?> type, String name) {
        return Arrays.stream(type.getInterfaces())
                .map(each -> Arrays.stream(each.getDeclaredMethods())
                        .filter(method -> method.getName().equals(name) && method.isAnnotationPresent(Field.class))
                        .map(method -> method.getAnnotation(Field.class))
                        .findFirst()
                        .or(() -> ofInterfaces(each, name)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    static Part of(RecordComponent component, Field field, Schema schema) {
        if (field.fallback().equals(Field.REQUIRED)) {
            return new Part(component, field, schema, null);
        }
        var mistakes = new Mistakes();
        Node fallback = YamlTree.parse(field.fallback(), line -> DEFAULT, "default", mistakes)
                .orElseThrow();
        mistakes.throwIfAny();
        return new Part(component, field, schema, fallback);
    }

    String name() {
        return component.getName();
    }

    boolean isRequired() {
        return fallback == null;
    }

    boolean mayBeNull() {
        return field.nullable() || field.fallback().equals("null");
    }

    /** To follow "it must be". */
    String expected() {
        return schema.expected() + (mayBeNull() ? ", or null" : "");
    }

    Object of(Record record) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true); // of a record that is not public
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("a record's accessor only reads", e);
        }
    }
}
