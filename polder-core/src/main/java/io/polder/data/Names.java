package io.polder.data;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** What to say of a name that nobody has. */
final class Names {
    private Names() {}

    /** One sentence that offers the names nearest to the one given. */
    static IllegalArgumentException unknown(String what, String name, Collection<String> known) {
        List<String> nearest = new ArrayList<>(known);
        nearest.sort(Comparator.comparingInt(other -> distance(name, other)));
        return new IllegalArgumentException("%s is \"%s\": there is none of that name; did you mean %s, %s or %s?"
                .formatted(what, name, nearest.get(0), nearest.get(1), nearest.get(2)));
    }

    /** Levenshtein's: how many letters must be added, removed or changed. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[b.length()];
    }
}
