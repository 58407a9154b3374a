package io.polder.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What was found wrong so far. */
final class Mistakes {
    private record Mistake(Origin origin, String text) {}

    private static final int LONGEST_QUOTE = 60;

    private final List<Mistake> found = new ArrayList<>();

    /** @param path empty for the file as a whole */
    void add(Origin origin, String path, String sentence) {
        found.add(new Mistake(origin, origin + ": " + (path.isEmpty() ? "" : quotable(path) + ": ") + sentence));
    }

    /** As mistakes of what is at a path. */
    void copyTo(Mistakes others, String path) {
        found.forEach(mistake ->
                others.add(mistake.origin(), path, mistake.text().substring((mistake.origin() + ": ").length())));
    }

    /** Whether there are more than will be told, so that a hostile file costs no more than reading it. */
    boolean areMoreThanTold() {
        return found.size() > ConfigException.MOST;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new ConfigException(found.stream()
                    .sorted(Comparator.comparingInt(mistake -> mistake.origin().order()))
                    .map(Mistake::text)
                    .toList());
        }
    }

    /** In quotes, shortened, and without what would break the line. */
    static String quote(String text) {
        return '"' + quotable(text) + '"';
    }

    private static String quotable(String text) {
        String line = text.codePoints()
                .limit(LONGEST_QUOTE)
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return line.length() < text.length() ? line + "…" : line;
    }
}
