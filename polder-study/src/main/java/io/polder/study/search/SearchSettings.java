package io.polder.study.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How hyper-parameters are chosen.
 *
 * @param seeds over how many seeds a candidate is judged
 * @param firstSeed the first of them; empty: the base recipe's, as in the table
 * @param standard the hyper-parameters of every method, by paths of the recipe, with the values to try
 * @param r the radii to try, for SAM and the penalty
 * @param alpha the balances to try, for the penalty
 * @param minEpochs of {@link Kind#ASHA}: the epochs of the first rung
 * @param eta of {@link Kind#ASHA}: one in so many goes on to the next rung, which has so many times the epochs
 * @param samples of {@link Kind#ASHA}: how many candidates are drawn from the grid; 0: all
 */
public record SearchSettings(
        Kind kind,
        int seeds,
        Optional<Long> firstSeed,
        Map<String, List<String>> standard,
        List<String> r,
        List<String> alpha,
        int minEpochs,
        int eta,
        int samples) {
    /** The paper's. */
    static final List<String> PAPER_R = List.of("0.01", "0.02", "0.05", "0.1", "0.2");

    /** The paper's. */
    static final List<String> PAPER_ALPHA = List.of("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9");

    static final int DEFAULT_ETA = 3;

    public static final SearchSettings NONE =
            new SearchSettings(Kind.NONE, 1, Optional.empty(), Map.of(), List.of(), List.of(), 1, DEFAULT_ETA, 0);

    /** The kinds of search. */
    public enum Kind {
        /** Every method has the hyper-parameters it was given. */
        NONE,
        /** Every combination. */
        GRID,
        /** The paper's three stages. */
        GREEDY,
        /** Every combination for a few epochs, then the better ones for more. */
        ASHA;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public SearchSettings {
        Objects.requireNonNull(kind, "kind");
        if (seeds < 1) {
            throw new IllegalArgumentException("seeds is " + seeds + ": it must be at least 1");
        }
        if (minEpochs < 1 || eta < 2 || samples < 0) {
            throw new IllegalArgumentException("minEpochs is " + minEpochs + ", eta " + eta + " and samples " + samples
                    + ": they must be at least 1, 2 and 0");
        }
        Map<String, List<String>> copy = new LinkedHashMap<>();
        standard.forEach((path, values) -> copy.put(path, List.copyOf(values)));
        standard = Collections.unmodifiableMap(copy);
        r = List.copyOf(r);
        alpha = List.copyOf(alpha);
    }

    /** What standard training has to choose from, as the first stage of an entry; what that sets itself is settled. */
    List<Map<String, String>> commonGrid(StudyMethod entry) {
        return combinations(open(entry, standard));
    }

    /** All that an entry has to choose from, but for what it sets itself. */
    List<Map<String, String>> grid(StudyMethod entry) {
        Map<String, List<String>> all = new LinkedHashMap<>(standard);
        if (entry.method() != TrainingMethod.STANDARD && !r.isEmpty()) {
            all.put(TrialRecipes.R, r);
        }
        if (entry.method() == TrainingMethod.PENALTY && !alpha.isEmpty()) {
            all.put(TrialRecipes.ALPHA, alpha);
        }
        return combinations(open(entry, all));
    }

    private static Map<String, List<String>> open(StudyMethod entry, Map<String, List<String>> values) {
        Map<String, List<String>> open = new LinkedHashMap<>(values);
        open.keySet().removeAll(entry.settings().keySet());
        return open;
    }

    /** The last path varies fastest. Of no paths there is one combination, the empty one. */
    static List<Map<String, String>> combinations(Map<String, List<String>> values) {
        List<Map<String, String>> found = new ArrayList<>(List.of(Map.of()));
        for (var entry : values.entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> shorter : found) {
                for (String value : entry.getValue()) {
                    Map<String, String> combination = new LinkedHashMap<>(shorter);
                    combination.put(entry.getKey(), value);
                    longer.add(combination);
                }
            }
            found = longer;
        }
        return found;
    }
}
