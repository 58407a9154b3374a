package io.polder.recipe;

/** What becomes of an image that cannot be read. */
public enum OnBadImage implements Named {
    FAIL,
    /** Left out, and counted. */
    SKIP
}
