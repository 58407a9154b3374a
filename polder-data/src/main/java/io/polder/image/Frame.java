package io.polder.image;

import java.util.Objects;

/**
 * What is taken of one image and how it gets its size: cut out {@code crop}, resize that to {@code resizedHeight} x
 * {@code resizedWidth}, of which keep {@code window}, and mirror it left to right if asked.
 *
 * <p>Chosen from the image's size alone, before any pixel is decoded: a decoder that can will do less work for it.
 */
public record Frame(Area crop, int resizedHeight, int resizedWidth, Area window, boolean mirrored) {
    public Frame {
        Objects.requireNonNull(crop, "crop");
        if (resizedHeight < 1 || resizedWidth < 1) {
            throw new IllegalArgumentException(
                    "resized is %d x %d: it must be at least 1 x 1".formatted(resizedHeight, resizedWidth));
        }
        if (!window.isWithin(resizedHeight, resizedWidth)) {
            throw new IllegalArgumentException(
                    "window is %s: it must lie within %d x %d".formatted(window, resizedHeight, resizedWidth));
        }
    }

    /** The crop, resized and kept whole. */
    public static Frame of(Area crop, int height, int width, boolean mirrored) {
        return new Frame(crop, height, width, Area.of(height, width), mirrored);
    }

    /** Whether the crop is used as it is, pixel for pixel. */
    boolean keepsSize() {
        return crop.height() == resizedHeight && crop.width() == resizedWidth;
    }
}
