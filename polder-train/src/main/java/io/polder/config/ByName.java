package io.polder.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a sealed type whose records are told apart by a field; on a record, that a name alone may stand for it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ByName {
    /** The field that has the name: {@code name}, {@code schedule}. */
    String value();

    /** The record of one number that a number by itself stands for; the type must be a {@link Span}. Record: there is none. */
    Class<? extends Record> number() default Record.class;
}
