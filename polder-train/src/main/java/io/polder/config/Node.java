package io.polder.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** YAML as it was written, with the places, before anything is made of it. */
sealed interface Node {
    Place place();

    /** @param plain without quotes, so that it may be a number, true, false or null */
    record Scalar(Place place, String text, boolean plain) implements Node {
        boolean isNull() {
            return plain
                    && (text.isEmpty()
                            || text.equals("~")
                            || text.equals("null")
                            || text.equals("Null")
                            || text.equals("NULL"));
        }
    }

    /** Keeps the place of each key: a mapping begins at its first one. */
    record Mapping(Place place, Map<String, Entry> entries) implements Node {
        static Mapping empty(Place place) {
            return new Mapping(place, new LinkedHashMap<>());
        }

        void put(String key, Place at, Node value) {
            entries.put(key, new Entry(at, value));
        }
    }

    record Listing(Place place, List<Node> items) implements Node {}

    record Entry(Place place, Node value) {}
}
