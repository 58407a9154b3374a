package io.polder.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The median of what some turns gave, and between which of them the true one lies: by order statistics, which suppose nothing of how
 * times are distributed. The bounds are the innermost that hold it with 95 %; fewer than six turns cannot, and have the outermost.
 */
record Interval(double median, double low, double high, int turns) {
    private static final double WANTED = 0.95;

    /** What five turns have: with fewer, all may well lie on one side of the true median. */
    private static final double ENOUGH = 0.9;

    static Interval of(double[] turns) {
        if (turns.length == 0) {
            throw new IllegalArgumentException("there are no turns: an interval needs at least one");
        }
        double[] sorted = turns.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        int left = leftOut(n);
        return new Interval((sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[left], sorted[n - 1 - left], n);
    }

    /** Of a / b, turn by turn: what slowed a whole turn down falls out. */
    static Interval ofRatios(double[] a, double[] b) {
        double[] ratios = new double[a.length];
        Arrays.setAll(ratios, turn -> a[turn] / b[turn]);
        return of(ratios);
    }

    /** How surely the interval of so many turns holds the true median. */
    static double coverage(int turns) {
        return 1 - 2 * below(leftOut(turns) + 1, turns);
    }

    /** How many turns at each end are outside of the bounds. */
    private static int leftOut(int turns) {
        int count = 0;
        while (1 - 2 * below(count + 2, turns) >= WANTED) {
            count++;
        }
        return count;
    }

    /** How likely fewer than so many of the turns are below the true median: each is or is not, as a fair coin falls. */
    private static double below(int some, int turns) {
        double ways = 1;
        double sum = 0;
        for (int i = 0; i < some; i++) {
            sum += ways;
            ways = ways * (turns - i) / (i + 1);
        }
        return sum / Math.pow(2, turns);
    }

    /** Why nothing may be concluded from a ratio of this size, if so. */
    Optional<String> doubt() {
        if (coverage(turns) < ENOUGH) {
            return Optional.of("no conclusion: it takes five turns");
        }
        return low <= 1 && 1 <= high
                ? Optional.of("no conclusion: the turns disagree by more than the sides differ")
                : Optional.empty();
    }

    String text(int digits) {
        String number = "%." + digits + "f";
        return String.format(Locale.ROOT, number + " [" + number + ", " + number + "]", median, low, high);
    }
}
