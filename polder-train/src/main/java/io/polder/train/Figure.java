package io.polder.train;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number that steps or evaluations have: what it is called, how it is shown and which way is better. Metrics, checkpoints, reports and
 * searches go by it and know no figure of a task by themselves.
 *
 * @param name as files have it: {@code error}, {@code top5Error}
 * @param label as people read it, to follow "test" or "training": {@code top-5 error}
 */
public record Figure(String name, String label, Unit unit, Better better) {
    private static final Pattern NAME = Pattern.compile("[a-z][A-Za-z0-9]{0,39}");

    /** How it is shown. */
    public enum Unit {
        /** Between 0 and 1, shown in per cent. */
        SHARE,
        NUMBER
    }

    /** Which way it is better. */
    public enum Better {
        LOWER,
        HIGHER
    }

    public Figure {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "name is '" + name + "': a figure's must be letters and digits, at most 40, a small letter first");
        }
        if (label.isBlank()) {
            throw new IllegalArgumentException("label is blank: the figure " + name + " must have one");
        }
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(better, "better");
    }

    /** A share of examples, of which the fewer the better: an error. */
    public static Figure error(String name, String label) {
        return new Figure(name, label, Unit.SHARE, Better.LOWER);
    }

    /** The loss on examples that were not trained on. */
    public static Figure loss() {
        return new Figure("loss", "loss", Unit.NUMBER, Better.LOWER);
    }

    /** The name after a word, as files have it: {@code bestError} of {@code error}. */
    public static String joined(String word, String name) {
        return word + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** The name that was {@linkplain #joined joined} to a word; empty where a field does not begin with the word. */
    public static Optional<String> without(String word, String field) {
        int start = word.length();
        return field.startsWith(word) && field.length() > start && Character.isUpperCase(field.charAt(start))
                ? Optional.of(Character.toLowerCase(field.charAt(start)) + field.substring(start + 1))
                : Optional.empty();
    }

    /** For people: {@code 15.77 %}, or {@code 0.4812}. */
    public String text(double value) {
        return unit == Unit.SHARE
                ? String.format(Locale.ROOT, "%.2f %%", 100 * value)
                : String.format(Locale.ROOT, "%.4f", value);
    }

    /** The better value first. */
    public int compare(double value, double other) {
        return better == Better.LOWER ? Double.compare(value, other) : Double.compare(other, value);
    }

    /** Whether a value is better than another. NaN never is, and is worse than any. */
    public boolean isBetter(double value, double other) {
        return !Double.isNaN(value)
                && (Double.isNaN(other) || (better == Better.LOWER ? value < other : value > other));
    }
}
