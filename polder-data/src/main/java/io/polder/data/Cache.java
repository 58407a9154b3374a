package io.polder.data;

import java.nio.file.Path;

/** Where Polder keeps what it can compute again. */
final class Cache {
    private Cache() {}

    /** {@code $POLDER_CACHE}, or {@code polder} in the user's cache directory: {@code $XDG_CACHE_HOME} or {@code ~/.cache}. */
    static Path directory() {
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
