package io.polder.nn;

import io.polder.tensor.SafeTensors.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a network's tensors are in a file that somebody else's program wrote: under other names, some of them as a part of a larger one.
 *
 * @param whose the program, for messages
 * @param places by the names that they have here; a tensor of the file that none of them is from is unknown
 */
public record OtherNames(String whose, Map<String, Place> places) {
    /**
     * One of equal parts of a tensor, by its first dimension.
     *
     * @param part from 0
     * @param parts 1 for a tensor that is whole
     */
    public record Place(String name, int part, int parts) {
        /** A whole tensor. */
        public Place(String name) {
            this(name, 0, 1);
        }

        /** What the part is like: that of a tensor which cannot be parted so is the tensor itself, which then fits nothing. */
        Entry in(Entry whole) {
            List<Long> shape = whole.shape();
            if (parts == 1 || shape.isEmpty() || shape.get(0) % parts != 0) {
                return whole;
            }
            List<Long> rows = new ArrayList<>(shape);
            rows.set(0, shape.get(0) / parts);
            return new Entry(whole.type(), rows, whole.offset(), whole.length());
        }
    }

    /** A line for each kind of tensor that has another name there, such as {@code blocks.*.attn.qkv.bias → blocks.*.attn.k.bias}. */
    public List<String> lines() {
        Set<String> lines = new LinkedHashSet<>();
        places.forEach((here, place) -> {
            if (!here.equals(place.name())) {
                String part = place.parts() == 1 ? "" : ", part " + (place.part() + 1) + " of " + place.parts();
                lines.add(general(place.name()) + part + " → " + general(here));
            }
        });
        return List.copyOf(lines);
    }

    private static String general(String name) {
        return name.replaceFirst("(^|[._])\\d+(?=\\.)", "$1*");
    }

    /** The file's tensors by the names they have here; those that are not known keep theirs. */
    Map<String, Entry> translated(Map<String, Entry> stored) {
        Map<String, Entry> translated = new LinkedHashMap<>(stored);
        places.values().forEach(place -> translated.remove(place.name()));
        places.forEach((here, place) -> {
            if (stored.containsKey(place.name())) {
                translated.put(here, place.in(stored.get(place.name())));
            }
        });
        return translated;
    }
}
