package io.polder.recipe;

import io.polder.config.Named;

/** What becomes of an image that cannot be read. */
public enum OnBadImage implements Named {
    FAIL,
    /** Left out, and counted. */
    SKIP
}
