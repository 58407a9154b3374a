package io.polder.study.results;

import io.polder.study.NumberText;
import io.polder.study.PairedTest;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialOutcome.Status;
import io.polder.train.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One row's figure that judges against another's, over the seeds that both were trained to the end with, and what may be said of it.
 *
 * @param test of {@code row} − {@code other}: negative differences are lower values
 * @param corrected its p-value after Holm's correction for all the tests of the study
 * @param ranks p of Wilcoxon's signed-rank test, as a check; NaN below {@value SignedRanks#LEAST_PAIRS} seeds
 */
record MethodTest(ResultRow row, ResultRow other, List<Long> seeds, PairedTest test, double corrected, double ranks) {
    static final double LEVEL = 0.05;
    static final String NO_CLAIM = "no claim";

    /**
     * Every row against standard training of its variant, and every row but those against SAM. That is every pair of the three methods,
     * and not every pair of a sweep over α.
     */
    static List<MethodTest> of(StudyResult result) {
        List<MethodTest> tests = new ArrayList<>();
        // Only the rows that others are measured by: a grid may have thousands.
        Map<String, List<ResultRow>> baselines = result.rows().stream()
                .filter(row -> row.method().equals("standard") || row.method().equals("sam"))
                .collect(Collectors.groupingBy(ResultRow::variant));
        for (ResultRow row : result.rows()) {
            List<ResultRow> variant = baselines.getOrDefault(row.variant(), List.of());
            if (row.method().equals("standard")) {
                continue;
            }
            RowSummary.baseline(variant, row).ifPresent(standard -> add(tests, row, standard));
            if (!row.method().equals("sam")) {
                RowSummary.sam(variant, row).ifPresent(sam -> add(tests, row, sam));
            }
        }
        double[] corrected = Holm.corrected(
                tests.stream().mapToDouble(each -> each.test().p()).toArray());
        List<MethodTest> judged = new ArrayList<>();
        for (int i = 0; i < corrected.length; i++) {
            MethodTest each = tests.get(i);
            judged.add(new MethodTest(each.row(), each.other(), each.seeds(), each.test(), corrected[i], each.ranks()));
        }
        return judged;
    }

    private static void add(List<MethodTest> tests, ResultRow row, ResultRow other) {
        Map<Long, Double> here = bySeed(row);
        Map<Long, Double> there = bySeed(other);
        List<Long> seeds =
                here.keySet().stream().filter(there::containsKey).sorted().toList();
        if (seeds.isEmpty()) {
            return;
        }
        double[] a = values(here, seeds);
        double[] b = values(there, seeds);
        double ranks = seeds.size() < SignedRanks.LEAST_PAIRS ? Double.NaN : SignedRanks.p(a, b);
        tests.add(new MethodTest(row, other, seeds, PairedTest.of(a, b), Double.NaN, ranks));
    }

    static Map<Long, Double> bySeed(ResultRow row) {
        return row.done().stream().collect(Collectors.toMap(TrialOutcome::seed, TrialOutcome::last, (a, b) -> a));
    }

    static double[] values(Map<Long, Double> bySeed, List<Long> seeds) {
        return seeds.stream().mapToDouble(bySeed::get).toArray();
    }

    Figure judge() {
        return row.judge();
    }

    /** What follows from it. */
    enum Claim {
        LOWER,
        HIGHER,
        NONE
    }

    /** A claim needs a corrected p below 5 %, and that the better method did not lose a trial, which its mean would leave out. */
    Claim claim() {
        if (!test.measuresNoise() || !(corrected < LEVEL) || lostTrials(better()) > 0) {
            return Claim.NONE;
        }
        return test.meanDifference() < 0 ? Claim.LOWER : Claim.HIGHER;
    }

    /** Whether there would be a claim, had the better method not lost a trial. */
    boolean lostTheClaim() {
        return claim() == Claim.NONE && test.measuresNoise() && corrected < LEVEL;
    }

    String claimInAWord() {
        return switch (claim()) {
            case LOWER -> "lower";
            case HIGHER -> "higher";
            case NONE -> NO_CLAIM;
        };
    }

    /** Whether it is claimed that the row is better than the other. */
    boolean claimsGain() {
        return claim() != Claim.NONE && better() == row;
    }

    private ResultRow better() {
        return judge().isBetter(test.meanDifference(), 0) ? row : other;
    }

    private static long lostTrials(ResultRow row) {
        return row.outcomes().stream()
                .filter(outcome -> outcome.status() == Status.DIVERGED)
                .count();
    }

    /** "gradient-norm penalty against standard". */
    String who(boolean settingsToo) {
        return inWords(row, settingsToo) + " against " + inWords(other, settingsToo);
    }

    /** A sentence without its first words, which name the seeds. */
    String sentence(boolean settingsToo) {
        String method = rowInWords(settingsToo);
        String baseline = otherInWords(settingsToo);
        double difference = test.meanDifference();
        String figure = "test " + judge().label();
        String points = NumberText.difference(judge(), Math.abs(difference)) + NumberText.unit(judge(), " points");
        if (!test.measuresNoise()) {
            return seeds.size() == 1
                    ? "one seed cannot tell a difference between " + method + " and " + baseline
                            + " from noise: no claim."
                    : difference == 0
                            ? method + " and " + baseline + " have the same " + figure + " on every seed."
                            : figure + " differs by " + points + " between " + method + " and " + baseline
                                    + " on every seed alike, which leaves no noise to measure it against: no claim.";
        }
        String numbers = "95 % interval " + interval() + ", " + pText("p", test.p());
        String comparison = figure + " is " + points + (difference < 0 ? " lower" : " higher") + " with " + method
                + " than with " + baseline + " (" + numbers + ")";
        if (claim() != Claim.NONE) {
            return comparison + ": more than the noise.";
        }
        if (lostTheClaim()) {
            return comparison + ", but " + inSentence(better(), settingsToo) + " lost " + lostTrials(better())
                    + (lostTrials(better()) == 1 ? " trial" : " trials")
                    + " to divergence, which its mean leaves out: no claim.";
        }
        if (test.excludesZero()) {
            return comparison + ": enough by itself, but not among the tests of this study ("
                    + pText("corrected p", corrected) + "): no claim.";
        }
        return "between " + method + " and " + baseline + " the difference in " + figure + " (" + points + ", "
                + numbers + ") is within the noise: no claim.";
    }

    /** It takes the sign of its sentence: "1.10 points lower (0.40 to 1.80)". */
    private String interval() {
        boolean lower = test.meanDifference() < 0;
        return NumberText.difference(judge(), lower ? -test.high() : test.low()) + " to "
                + NumberText.difference(judge(), lower ? -test.low() : test.high());
    }

    static String pText(String name, double p) {
        return p < 0.0001 ? name + " < 0.0001" : name + " = " + pNumber(p);
    }

    /** Four decimals: 0.04996 is not 0.05. */
    static String pNumber(double p) {
        return Double.isNaN(p) ? NumberText.UNKNOWN : p < 0.0001 ? "< 0.0001" : NumberText.fixed(p, 4);
    }

    String rowInWords(boolean settingsToo) {
        return inSentence(row, settingsToo);
    }

    String otherInWords(boolean settingsToo) {
        return inSentence(other, settingsToo);
    }

    private static String inSentence(ResultRow row, boolean settingsToo) {
        String name = inWords(row, settingsToo);
        return row.label().equals("Standard") ? name.replaceFirst("^standard", "standard training") : name;
    }

    private static String inWords(ResultRow row, boolean settingsToo) {
        String label = row.label();
        boolean word = label.matches("\\p{Lu}[\\p{Ll}-]*([ ,].*)?"); // not SAM, nor LookSAM
        String settings = settingsToo && !row.settings().isEmpty() ? " (" + Settings.words(row.settings()) + ")" : "";
        return (word ? lowerFirst(label) : label) + settings;
    }

    private static String lowerFirst(String text) {
        return Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
