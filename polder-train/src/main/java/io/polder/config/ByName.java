package io.polder.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On an interface whose records are told apart by a field; on a record, that a name alone may stand for it. Where the interface is
 * sealed those are its records; otherwise they are the {@link #known()} ones and those of a {@link Plugin}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ByName {
    /** The field that has the name: {@code name}, {@code schedule}. */
    String value();

    /** The records of an interface that is not sealed, in the order of the documentation. */
    Class<? extends Record>[] known() default {};

    /** The record of one number that a number by itself stands for; the type must be a {@link Span}. Record: there is none. */
    Class<? extends Record> number() default Record.class;
}
