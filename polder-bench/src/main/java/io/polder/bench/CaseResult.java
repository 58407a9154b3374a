package io.polder.bench;

import io.polder.bench.CaseRun.Case;
import io.polder.bench.CaseRun.SideTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What one network and batch came to.
 *
 * @param parameters of every side's network
 * @param multiplyAdds of one image through it
 * @param productRate what the engine reaches in a product of large matrices in the same run, in GFLOP/s
 * @param sides Polder first
 * @param leftOut who could not take part, and why
 */
record CaseResult(
        Case what,
        int threads,
        long parameters,
        long multiplyAdds,
        double productRate,
        List<SideTimes> sides,
        Map<String, String> leftOut) {

    /** Forward is one of three: the gradients of the inputs and of the weights are as many multiply-adds each. */
    private static final int PASSES_OF_A_GRADIENT = 3;

    /**
     * A line of the table; null is what a side does not have.
     *
     * @param standardRatio its time by Polder's, turn by turn: above 1 Polder is the faster
     * @param againstTwo a step of the penalty by two standard ones
     * @param outside the share of the penalty's step, or of the standard one, that is not forward or backward
     * @param ofProduct the rate of that step by the measured one of a product of matrices
     */
    record Row(
            String side,
            Interval standard,
            Interval standardRatio,
            Interval penalty,
            Interval penaltyRatio,
            Interval againstTwo,
            Double outside,
            double ofProduct,
            long standardPeak,
            long peak) {}

    List<Row> rows() {
        return sides.stream().map(this::row).toList();
    }

    private Row row(SideTimes side) {
        boolean both = side.has(CaseRun.STANDARD) && side.has(CaseRun.PENALTY);
        String last = side.has(CaseRun.PENALTY) ? CaseRun.PENALTY : CaseRun.STANDARD;
        double[] twice = both ? side.perTurn(CaseRun.STANDARD) : new double[0];
        for (int i = 0; i < twice.length; i++) {
            twice[i] *= 2;
        }
        int gradients = last.equals(CaseRun.PENALTY) ? 2 : 1;
        double flops = 2.0 * gradients * PASSES_OF_A_GRADIENT * multiplyAdds * what.batch();
        return new Row(
                side.name(),
                times(side, CaseRun.STANDARD),
                ratio(side, CaseRun.STANDARD),
                times(side, CaseRun.PENALTY),
                ratio(side, CaseRun.PENALTY),
                both ? Interval.ofRatios(side.perTurn(CaseRun.PENALTY), twice) : null,
                side.outside(last),
                flops / (times(side, last).median() * 1e6) / productRate,
                side.standardPeak(),
                side.peak());
    }

    private static Interval times(SideTimes side, String step) {
        return side.has(step) ? Interval.of(side.perTurn(step)) : null;
    }

    private Interval ratio(SideTimes side, String step) {
        SideTimes polder = sides.get(0);
        return side == polder || !side.has(step) ? null : Interval.ofRatios(side.perTurn(step), polder.perTurn(step));
    }

    /** What may be said of it, a sentence for each side and step. */
    List<String> conclusions() {
        List<String> said = new ArrayList<>();
        for (Row row : rows()) {
            conclude(said, row.side() + ", " + CaseRun.STANDARD, row.standardRatio());
            conclude(said, row.side() + ", " + CaseRun.PENALTY, row.penaltyRatio());
        }
        leftOut.forEach((side, why) -> said.add(side + ": left out: " + why));
        return said;
    }

    private static void conclude(List<String> said, String what, Interval ratio) {
        if (ratio == null) {
            return;
        }
        said.add(what + ": "
                + ratio.doubt()
                        .map(doubt -> doubt + " (" + ratio.text(2) + ")")
                        .orElse("takes " + ratio.text(2) + " times as long as Polder"));
    }

    String text() {
        var table = new Table(
                "",
                "standard, ms",
                "by Polder's",
                "penalty, ms",
                "by Polder's",
                "by 2 standard",
                "outside passes",
                "of sgemm",
                "peak MB, standard",
                "and penalty");
        for (Row row : rows()) {
            table.add(
                    row.side(),
                    cell(row.standard(), 1),
                    cell(row.standardRatio(), 2),
                    cell(row.penalty(), 1),
                    cell(row.penaltyRatio(), 2),
                    cell(row.againstTwo(), 3),
                    row.outside() == null ? "" : percent(row.outside()),
                    percent(row.ofProduct()),
                    megabytes(row.standardPeak()),
                    row.penalty() == null ? "" : megabytes(row.peak()));
        }
        return String.format(
                        Locale.ROOT,
                        "%s, batch %d, %d thread(s): %,d parameters, %,.1f million multiply-adds an image; sgemm %.0f GFLOP/s%n%n",
                        what.model(),
                        what.batch(),
                        threads,
                        parameters,
                        multiplyAdds * 1e-6,
                        productRate)
                + table
                + "\n"
                + String.join("\n", conclusions())
                + "\n";
    }

    private static String cell(Interval interval, int digits) {
        return interval == null ? "" : interval.text(digits);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    private static String megabytes(long bytes) {
        return bytes == 0 ? "" : String.format(Locale.ROOT, "%,d", Math.round(bytes * 1e-6));
    }
}
