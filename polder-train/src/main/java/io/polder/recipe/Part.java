package io.polder.recipe;

import java.lang.reflect.RecordComponent;

/**
 * A field of a recipe: a component of one of its records.
 *
 * @param fallback what stands for it when it is left out; null if it may not be
 */
record Part(RecordComponent component, Field field, Shape shape, Node fallback) {
    private static final Place DEFAULT = new Place("the default", 0);

    static Part of(RecordComponent component, Field field, Shape shape) {
        if (field.fallback().equals(Field.REQUIRED)) {
            return new Part(component, field, shape, null);
        }
        var mistakes = new Mistakes();
        Node fallback =
                YamlTree.parse(field.fallback(), line -> DEFAULT, mistakes).orElseThrow();
        mistakes.throwIfAny();
        return new Part(component, field, shape, fallback);
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
        return shape.expected() + (mayBeNull() ? ", or null" : "");
    }

    Object of(Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("a record's accessor only reads", e);
        }
    }
}
