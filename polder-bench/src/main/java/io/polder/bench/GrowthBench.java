package io.polder.bench;

import io.polder.bench.CaseRun.Case;
import io.polder.bench.CaseRun.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How a step of the penalty grows with what it is given. */
@Command(
        name = "growth",
        sortOptions = false,
        description =
                "WRN-10 with batches of 16 to 256, one to four times as wide, and with one thread to one for each core: the step of the penalty, beside PyTorch channels-last.")
final class GrowthBench implements Callable<Integer> {
    /** Enough for a median: there are a dozen cases. */
    private static final double SECONDS = 2;

    @Mixin
    private Bench.Common common;

    private final List<Object> results = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        common.validate();
        String machine = Bench.machine(common.turns);
        System.out.println(machine);
        Table batches = table("batch");
        for (int batch = 16; batch <= 256; batch *= 2) {
            measure(batches, "" + batch, new Case("wrn-10-1", batch), common.threads);
        }
        System.out.println("WRN-10-1, " + common.threads + " thread(s)\n\n" + batches);
        Table widths = table("width");
        for (int width = 1; width <= 4; width *= 2) {
            measure(widths, "" + width, new Case("wrn-10-" + width, 128), common.threads);
        }
        System.out.println("WRN-10, batch 128, " + common.threads + " thread(s)\n\n" + widths);
        Table threads = table("threads");
        for (int count = 1; count <= Runtime.getRuntime().availableProcessors(); count++) {
            measure(threads, "" + count, new Case("wrn-10-1", 128), count);
        }
        System.out.println("WRN-10-1, batch 128\n\n" + threads);
        Bench.save(common.json, machine, results);
        return 0;
    }

    private static Table table(String what) {
        return new Table(what, "Polder, ms", "images/s", "PyTorch, ms", "by Polder's");
    }

    private void measure(Table table, String label, Case what, int threads) throws IOException {
        List<Side> sides = common.peers == null
                ? List.of(Side.POLDER)
                : List.of(Side.POLDER, Side.pytorchForSpeed(common.peers, Bench.home()));
        CaseResult result = new CaseRun(new Plan(common.turns, threads, SECONDS), System.err).measure(what, sides);
        result.leftOut().forEach((side, why) -> System.err.println(side + ": left out: " + why));
        var polder = result.rows().get(0).penalty();
        var peer = result.rows().size() > 1 ? result.rows().get(1) : null;
        table.add(
                label,
                polder.text(1),
                String.format(Locale.ROOT, "%.0f", 1e3 * what.batch() / polder.median()),
                peer == null ? "" : peer.penalty().text(1),
                peer == null
                        ? ""
                        : peer.penaltyRatio().text(2)
                                + peer.penaltyRatio().doubt().map(", "::concat).orElse(""));
        results.add(result);
    }
}
