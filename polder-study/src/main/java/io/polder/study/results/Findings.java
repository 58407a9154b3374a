package io.polder.study.results;

import io.polder.study.NumberText;
import io.polder.study.trial.TrialOutcome.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a study says, in sentences: which differences are more than the noise between seeds, and nothing of the others. */
final class Findings {
    private Findings() {}

    /** One paragraph a variant; a single one for a study without variants. */
    static List<String> of(StudyResult result) {
        List<MethodTest> tests = MethodTest.of(result);
        List<String> paragraphs = new ArrayList<>();
        for (String variant : variants(result)) {
            List<MethodTest> own = tests.stream()
                    .filter(test -> test.row().variant().equals(variant))
                    .toList();
            if (own.isEmpty()) {
                continue;
            }
            // In a sweep the claims are counted: dozens of sentences say nothing.
            String text = own.size() > Verdicts.MOST_LINES ? counted(own) : sentences(own);
            for (RelativeGainOfRow gain : RelativeGainOfRow.of(result, variant)) {
                text += " " + gain.sentence();
            }
            paragraphs.add(variant.isEmpty() ? text : variant + ". " + text);
        }
        if (paragraphs.isEmpty()) {
            paragraphs.add(
                    result.rows().size() == 1
                            ? "Only one method was trained, so there is nothing to compare it with."
                            : "Nothing can be compared yet: no seed has been trained to its end by two methods.");
        }
        return paragraphs;
    }

    static List<String> variants(StudyResult result) {
        return result.rows().stream().map(ResultRow::variant).distinct().toList();
    }

    private static String sentences(List<MethodTest> tests) {
        boolean settingsToo = severalOfOneMethod(tests);
        StringBuilder text = new StringBuilder();
        int seeds = -1;
        for (MethodTest test : tests) {
            String sentence = test.sentence(settingsToo);
            if (test.seeds().size() != seeds && test.seeds().size() > 1) {
                seeds = test.seeds().size();
                sentence = "over " + seeds + " seeds, " + sentence;
            }
            text.append(text.isEmpty() ? "" : " ").append(NumberText.upperFirst(sentence));
        }
        return text.toString();
    }

    /** How many claims there are of each kind, and of whom. */
    static String counted(List<MethodTest> tests) {
        List<MethodTest> lower = claims(tests, MethodTest.Claim.LOWER);
        List<MethodTest> higher = claims(tests, MethodTest.Claim.HIGHER);
        return "Of " + tests.size()
                + " comparisons with standard training and SAM, test "
                + tests.get(0).judge().label() + " is lower by more than the noise in "
                + lower.size() + ", higher by more than the noise in " + higher.size() + ", and no claim is made in "
                + (tests.size() - lower.size() - higher.size()) + "." + named("Lower", lower) + named("Higher", higher);
    }

    private static List<MethodTest> claims(List<MethodTest> tests, MethodTest.Claim claim) {
        return tests.stream().filter(test -> test.claim() == claim).toList();
    }

    /** A sentence for each that others are compared with. */
    private static String named(String word, List<MethodTest> claims) {
        boolean settingsToo = severalOfOneMethod(claims);
        Map<String, List<String>> byOther = new LinkedHashMap<>();
        for (MethodTest claim : claims) {
            byOther.computeIfAbsent(claim.otherInWords(settingsToo), other -> new ArrayList<>())
                    .add(claim.rowInWords(settingsToo));
        }
        StringBuilder text = new StringBuilder();
        byOther.forEach((other, rows) ->
                text.append(" " + word + " than with " + other + ": " + String.join("; ", rows) + "."));
        return text.toString();
    }

    static boolean severalOfOneMethod(List<MethodTest> tests) {
        List<ResultRow> rows = tests.stream().map(MethodTest::row).distinct().toList();
        return rows.stream().map(ResultRow::method).distinct().count() < rows.size();
    }

    /** How far the study has come and what went wrong: empty for one that is complete and well. */
    static String progress(StudyResult result) {
        int there = result.outcomes().size();
        long diverged = count(result, Status.DIVERGED);
        long failed = count(result, Status.FAILED);
        List<String> parts = new ArrayList<>();
        if (!result.isComplete()) {
            parts.add("The study goes on: " + there + " of about " + Math.max(there, result.wanted())
                    + " trials have ended, and numbers may change.");
        }
        if (diverged > 0) {
            parts.add(
                    plural(diverged, "trial") + " diverged: means leave " + (diverged == 1 ? "it" : "them") + " out.");
        }
        if (failed > 0) {
            parts.add(plural(failed, "trial") + " failed: means leave " + (failed == 1 ? "it" : "them") + " out.");
        }
        return String.join(" ", parts);
    }

    private static long count(StudyResult result, Status status) {
        return result.outcomes().stream()
                .filter(outcome -> outcome.status() == status)
                .count();
    }

    static String plural(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** The penalty's gain relative to SAM's, of one row. */
    record RelativeGainOfRow(ResultRow row, RelativeGain gain, boolean samGains, boolean differs) {
        /** Of each variant that has one row of each method; a sweep has none, as picking its best row would flatter it. */
        static List<RelativeGainOfRow> of(StudyResult result, String variant) {
            List<ResultRow> rows = result.rows().stream()
                    .filter(row -> row.variant().equals(variant))
                    .toList();
            List<ResultRow> penalties = rows.stream()
                    .filter(row -> row.method().equals("gradient-norm-penalty"))
                    .toList();
            if (penalties.size() != 1) {
                return List.of();
            }
            ResultRow penalty = penalties.get(0);
            ResultRow standard = RowSummary.baseline(rows, penalty).orElse(null);
            ResultRow sam = RowSummary.sam(rows, penalty).orElse(null);
            if (standard == null || sam == null) {
                return List.of();
            }
            Map<Long, Double> a = MethodTest.bySeed(standard);
            Map<Long, Double> b = MethodTest.bySeed(sam);
            Map<Long, Double> c = MethodTest.bySeed(penalty);
            List<Long> seeds = a.keySet().stream()
                    .filter(b::containsKey)
                    .filter(c::containsKey)
                    .sorted()
                    .toList();
            if (seeds.size() < 2) {
                return List.of();
            }
            List<MethodTest> tests = MethodTest.of(result);
            boolean samGains =
                    tests.stream().anyMatch(test -> test.row() == sam && test.other() == standard && test.claimsGain());
            // That the gains differ is that the figures do: one claim, not two.
            boolean differs = tests.stream()
                    .anyMatch(test ->
                            test.row() == penalty && test.other() == sam && test.claim() != MethodTest.Claim.NONE);
            RelativeGain gain = RelativeGain.of(
                    MethodTest.values(a, seeds), MethodTest.values(b, seeds), MethodTest.values(c, seeds));
            return List.of(new RelativeGainOfRow(penalty, gain, samGains, differs));
        }

        String sentence() {
            if (!samGains || !gain.isBounded()) {
                return "The penalty's gain is not put in relation to SAM's, which is itself not more than the noise.";
            }
            String interval = percent(gain.low()) + " to " + percent(gain.high());
            String size = percent(Math.abs(gain.value())) + " %";
            return "The penalty's gain over standard training is " + size
                    + (gain.value() < 0 ? " less" : " more") + " than SAM's (95 % interval " + interval + " %)"
                    + (differs ? "." : ": no claim that they differ.");
        }

        private static String percent(double fraction) {
            return NumberText.fixed(100 * fraction, 0);
        }
    }
}
