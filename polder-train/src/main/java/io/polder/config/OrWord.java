package io.polder.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a record of one number, which is written as that number, or as a word that stands for a number out of its range. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OrWord {
    /** The word. */
    String value();

    /** What the record holds where the word was written. */
    int means();
}
