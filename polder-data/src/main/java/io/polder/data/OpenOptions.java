package io.polder.data;

import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * How a data set is opened; what a data set has no use for it ignores.
 *
 * @param onBadImage what happens when an image cannot be read
 * @param cache the directory for what is computed once: normalisations and packed images
 * @param packedSide where given, image folders are packed once into a file of images with this shorter side, which is then
 *     read instead of the folder
 */
public record OpenOptions(OnBadImage onBadImage, Path cache, OptionalInt packedSide) {
    public static final OpenOptions DEFAULT = new OpenOptions(OnBadImage.FAIL, Cache.directory(), OptionalInt.empty());

    public OpenOptions {
        Objects.requireNonNull(onBadImage, "onBadImage");
        Objects.requireNonNull(cache, "cache");
        if (packedSide.isPresent() && packedSide.getAsInt() < 1) {
            throw new IllegalArgumentException("packedSide is " + packedSide.getAsInt() + ": it must be at least 1");
        }
    }

    public OpenOptions withOnBadImage(OnBadImage onBadImage) {
        return new OpenOptions(onBadImage, cache, packedSide);
    }

    public OpenOptions withCache(Path cache) {
        return new OpenOptions(onBadImage, cache, packedSide);
    }

    public OpenOptions withPackedSide(int packedSide) {
        return new OpenOptions(onBadImage, cache, OptionalInt.of(packedSide));
    }
}
