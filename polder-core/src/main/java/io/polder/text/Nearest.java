package io.polder.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What somebody may have meant by a name that is not there. */
public final class Nearest {
    /** Longer names are not looked at: the search takes a time that is proportional to the length. */
    private static final int LONGEST = 100;

    private static final int OFFERED = 3;

    private Nearest() {}

    /** The name that is nearest in spelling, if any is near enough to be meant; capitals, hyphens and underscores count little. */
    public static Optional<String> to(String wrong, Collection<String> names) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(plain(wrong), plain(name))))
                .filter(name -> distance(plain(wrong), plain(name)) <= Math.max(1, wrong.length() / 3));
    }

    /** One sentence that offers the three names nearest in spelling, or as many as there are. */
    public static IllegalArgumentException unknown(String what, String name, Collection<String> names) {
        String shortened = name.length() > LONGEST ? name.substring(0, LONGEST) : name;
        List<String> nearest = names.stream()
                .sorted(Comparator.comparingInt(other -> distance(plain(shortened), plain(other))))
                .limit(OFFERED)
                .toList();
        return new IllegalArgumentException("%s is \"%s\": there is none of that name; did you mean %s?"
                .formatted(what, shortened, either(nearest)));
    }

    /** {@code a, b or c} */
    public static String either(List<String> names) {
        int last = names.size() - 1;
        return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** How many letters must be added, removed, changed or swapped with their neighbour. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int changed = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(changed, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                boolean isSwap =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (isSwap) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
