package io.polder.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** YAML as it was written, with where that was, before anything is made of it. */
sealed interface Node {
    Origin origin();

    /** @param plain without quotes, so that it may be a number, true, false or null */
    record Scalar(Origin origin, String text, boolean plain) implements Node {
        boolean isNull() {
            return plain
                    && (text.isEmpty()
                            || text.equals("~")
                            || text.equals("null")
                            || text.equals("Null")
                            || text.equals("NULL"));
        }
    }

    /** Keeps where each key was: a mapping begins at its first one. */
    record Mapping(Origin origin, Map<String, Entry> entries) implements Node {
        static Mapping empty(Origin origin) {
            return new Mapping(origin, new LinkedHashMap<>());
        }

        void put(String key, Origin at, Node value) {
            entries.put(key, new Entry(at, value));
        }
    }

    record Listing(Origin origin, List<Node> items) implements Node {}

    record Entry(Origin origin, Node value) {}
}
