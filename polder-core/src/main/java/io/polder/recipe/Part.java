package io.polder.recipe;

import java.lang.reflect.RecordComponent;

/** A field of a recipe: a component of one of its records. */
record Part(RecordComponent component, Field field, Shape shape) {
    String name() {
        return component.getName();
    }

    boolean isRequired() {
        return field.fallback().equals(Field.REQUIRED);
    }

    boolean mayBeNull() {
        return field.fallback().equals("null");
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
