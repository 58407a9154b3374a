package io.polder.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a component of a record is for, what it may hold, and what it is when a file leaves it out. Of a list the bounds are those of each
 * item.
 *
 * <p>What several records have in common stands once, on the method of an interface that they implement; a component with its own says otherwise.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Field {
    /** The default of a field that has none. */
    String REQUIRED = "";

    /** One sentence for the schema and the documentation, with the reason of the default where it is not plain. */
    String about();

    /** In YAML. Where it is {@code null} the field may be. */
    String fallback() default REQUIRED;

    /** Whether the field may be null although that is not its default. */
    boolean nullable() default false;

    double min() default Double.NEGATIVE_INFINITY;

    /** Like {@link #min()}, but itself not allowed. */
    double above() default Double.NEGATIVE_INFINITY;

    double max() default Double.POSITIVE_INFINITY;

    /** Like {@link #max()}, but itself not allowed. */
    double below() default Double.POSITIVE_INFINITY;

    /** What a text, or each key of a map, must match as a whole; any text that is not blank by default. */
    String pattern() default "";

    /** The pattern in words. */
    String patternInWords() default "";

    /** On an int: a word that may be written instead, of which the record has {@link #WORD}. */
    String word() default "";

    /** What a number is where its word was written: out of its range. */
    int WORD = 0;

    /** The names that a text must be one of; Names: any text. */
    Class<? extends Names> names() default Names.class;

    /**
     * On a component that may be null of a {@link ByName} type: its fields stand beside those of the record that has it, where the
     * record's own name is that of a plug-in.
     */
    boolean beside() default false;

    /** What other programs call it: who writes one of these is told the field. Capitals, hyphens and underscores do not count. */
    String[] alsoCalled() default {};

    /** Whether a result can depend on it, and so a hash does. */
    boolean determinesResult() default true;

    /** Whether a hash leaves it out where it is the default: a field that came later leaves old hashes as they are. */
    boolean cameLater() default false;
}
