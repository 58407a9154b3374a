package io.polder.study;

import io.polder.penalty.GradientScheme;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What a {@link ComparisonRun} may be asked to vary.
 *
 * @param seeds how many; they are 1, 2, 3, …
 * @param r the penalty's radius
 * @param alpha the penalty's balance
 * @param samR SAM's radius
 */
public record ComparisonSettings(int seeds, int epochs, double r, double alpha, double samR) {
    /**
     * Each method at the best of a small search of its own on the bundled data, so that none is shown at a disadvantage; three
     * seeds and 25 epochs are what two cores finish in three minutes.
     */
    public static final ComparisonSettings DEFAULT = new ComparisonSettings(3, 25, 0.4, 0.6, 0.2);

    public static final Method STANDARD = new Method("standard", "Standard training", "");

    public ComparisonSettings {
        requirePositive("seeds", seeds);
        requirePositive("epochs", epochs);
        requireScheme("SAM", samR, 1);
        requireScheme("the penalty", r, alpha);
    }

    public List<Integer> seedList() {
        return IntStream.rangeClosed(1, seeds).boxed().toList();
    }

    /** The methods in the order of the table, the baseline first. */
    Map<Method, GradientScheme> schemes() {
        Map<Method, GradientScheme> schemes = new LinkedHashMap<>();
        schemes.put(STANDARD, GradientScheme.standard());
        schemes.put(new Method("sam", "SAM", "r = " + NumberText.plain(samR)), GradientScheme.sam(samR));
        schemes.put(
                new Method(
                        "gradient-norm-penalty",
                        "Gradient-norm penalty",
                        "r = " + NumberText.plain(r) + ", α = " + NumberText.plain(alpha)),
                GradientScheme.gradientNormPenalty(r, alpha));
        return schemes;
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be at least 1");
        }
    }

    private static void requireScheme(String name, double r, double alpha) {
        try {
            GradientScheme.gradientNormPenalty(r, alpha);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + "'s " + e.getMessage(), e);
        }
    }
}
