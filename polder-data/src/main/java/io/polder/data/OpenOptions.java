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
public record OpenOptions(BadImagePolicy onBadImage, Path cache, OptionalInt packedSide) {
    public static final OpenOptions DEFAULT = new OpenOptions(BadImagePolicy.FAIL, usersCache(), OptionalInt.empty());

    public OpenOptions {
        Objects.requireNonNull(onBadImage, "onBadImage");
        Objects.requireNonNull(cache, "cache");
        if (packedSide.isPresent() && packedSide.getAsInt() < 1) {
            throw new IllegalArgumentException("packedSide is " + packedSide.getAsInt() + ": it must be at least 1");
        }
    }

    public OpenOptions withOnBadImage(BadImagePolicy onBadImage) {
        return new OpenOptions(onBadImage, cache, packedSide);
    }

    public OpenOptions withCache(Path cache) {
        return new OpenOptions(onBadImage, cache, packedSide);
    }

    public OpenOptions withPackedSide(int packedSide) {
        return new OpenOptions(onBadImage, cache, OptionalInt.of(packedSide));
    }

    /** {@code $POLDER_CACHE}, or {@code polder} in the user's cache directory: {@code $XDG_CACHE_HOME} or {@code ~/.cache}. */
    private static Path usersCache() {
        String own = System.getenv("POLDER_CACHE");
        if (own != null && !own.isEmpty()) {
            return Path.of(own);
        }
        String user = System.getenv("XDG_CACHE_HOME");
        Path caches =
                user != null && !user.isEmpty() ? Path.of(user) : Path.of(System.getProperty("user.home"), ".cache");
        return caches.resolve("polder");
    }
}
