package io.polder.config;

/** What changes from one number to another. The range of a {@link Field} holds for both. */
public interface Span {
    double from();

    /** What it goes towards, and may only reach at the end. */
    double to();
}
