package io.polder.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name of a record of a {@link ByName} type. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Called {
    String value();

    /** One sentence for the schema and the documentation. */
    String about();

    /** What other programs call it, each with what is to be written for it here: {@code "asam: {name: sam, perturbation: adaptive}"}. */
    String[] alsoCalled() default {};
}
