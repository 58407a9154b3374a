package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.OrWord;

/**
 * How many images pass through the network at a time when a batch does not fit in memory.
 *
 * @param images 0 where it is to be chosen
 */
@OrWord(value = "auto", means = 0)
public record MicroBatch(
        @Field(about = "How many.", min = 1) int images) {
    /** Chosen to fit the memory. */
    public static final MicroBatch AUTO = new MicroBatch(0);

    public MicroBatch {
        if (images < 0) {
            throw new IllegalArgumentException("microBatch is " + images + ": it must be at least 1, or auto");
        }
    }

    public boolean isAuto() {
        return images == 0;
    }

    @Override
    public String toString() {
        return isAuto() ? "auto" : Integer.toString(images);
    }
}
