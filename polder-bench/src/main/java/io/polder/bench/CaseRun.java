package io.polder.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Measures one network and batch on all sides: every turn asks each of them, in an order that is drawn, for some steps of each kind in
 * alternation, so that what the machine does by itself falls on all alike.
 */
final class CaseRun {
    static final String STANDARD = "standard";
    static final String PENALTY = "penalty";

    /** The product of matrices that other rates are measured against. */
    private static final int PRODUCT_SIDE = 2048;

    private static final int WARM_UP = 3;
    private static final int FEWEST_ROUNDS = 2;
    private static final int MOST_ROUNDS = 50;

    /** A network by Polder's name, and how many images. */
    record Case(String model, int batch) {
        /** @param text such as {@code wrn-10-1/128} */
        static Case of(String text) {
            int slash = text.indexOf('/');
            try {
                int batch = Integer.parseInt(text.substring(slash + 1));
                if (slash > 0 && batch > 0) {
                    return new Case(text.substring(0, slash), batch);
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw new IllegalArgumentException(
                    "case is \"" + text + "\": it must be a network and a batch, such as wrn-10-1/128");
        }
    }

    /** @param seconds about how long a side has in each turn */
    record Plan(int turns, int threads, double seconds) {}

    /** What a side did: in each turn by the name of a step what its steps took. */
    record SideTimes(
            String name, String engine, List<Map<String, List<Worker.Step>>> turns, long standardPeak, long peak) {
        boolean has(String step) {
            return turns.get(0).containsKey(step);
        }

        /** The median of each turn, in milliseconds. */
        double[] perTurn(String step) {
            return turns.stream().mapToDouble(turn -> median(turn.get(step))).toArray();
        }

        /** The share of the time of such a step that was not forward or backward; null if it cannot be told. */
        Double outside(String step) {
            double[] shares = turns.stream()
                    .flatMap(turn -> turn.get(step).stream())
                    .filter(each -> each.passes() != null)
                    .mapToDouble(each -> 1 - each.passes() / each.ms())
                    .toArray();
            return shares.length == 0 ? null : Interval.of(shares).median();
        }
    }

    private record Running(
            Side side,
            Worker worker,
            List<String> request,
            long standardPeak,
            List<Map<String, List<Worker.Step>>> turns) {
        void makeTurn() throws IOException {
            try {
                turns.add(byName(request, worker.make(request)));
            } catch (IOException e) {
                throw new IOException(side.name() + " broke off: " + e.getMessage(), e);
            }
        }

        SideTimes times() {
            return new SideTimes(side.name(), worker.hello().engine(), turns, standardPeak, worker.peak());
        }
    }

    private final Plan plan;
    private final PrintStream progress;

    /** @param progress where it says what it is at */
    CaseRun(Plan plan, PrintStream progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** @param sides Polder first: the others are measured against the first */
    CaseResult measure(Case what, List<Side> sides) throws IOException {
        List<Running> running = new ArrayList<>();
        Map<String, String> leftOut = new LinkedHashMap<>();
        try {
            for (Side side : sides) {
                say(what, side.name() + " warms up");
                start(side, what, running, leftOut);
            }
            double rate = inTurns(what, running);
            var polder = running.get(0).worker().hello();
            List<SideTimes> results = running.stream().map(Running::times).toList();
            return new CaseResult(
                    what, plan.threads(), polder.parameters(), polder.multiplyAdds(), rate, results, leftOut);
        } finally {
            for (Running each : running) {
                each.worker().close();
            }
        }
    }

    /** @return the rate of the engine's product of matrices in the meantime, in GFLOP/s; by a process of its own, for the others' peaks */
    private double inTurns(Case what, List<Running> running) throws IOException {
        double[] products = new double[plan.turns()];
        var order = new Random(1);
        var inTurn = new ArrayList<>(running);
        try (Worker product = Side.POLDER.start(StepWorker.PRODUCT, PRODUCT_SIDE, plan.threads())) {
            for (int turn = 0; turn < plan.turns(); turn++) {
                say(what, "turn " + (turn + 1) + " of " + plan.turns());
                products[turn] = median(product.make(Collections.nCopies(WARM_UP, StepWorker.PRODUCT)));
                Collections.shuffle(inTurn, order);
                for (Running each : inTurn) {
                    each.makeTurn();
                }
            }
        }
        return 2 * Math.pow(PRODUCT_SIDE, 3) / (Interval.of(products).median() * 1e6);
    }

    private static double median(List<Worker.Step> steps) {
        return Interval.of(steps.stream().mapToDouble(Worker.Step::ms).toArray())
                .median();
    }

    private void say(Case what, String news) {
        progress.println(what.model() + ", batch " + what.batch() + ": " + news);
    }

    private void start(Side side, Case what, List<Running> running, Map<String, String> leftOut) throws IOException {
        try {
            Worker worker = side.start(what.model(), what.batch(), plan.threads());
            try {
                if (!running.isEmpty()) {
                    requireSame(what, running.get(0), side, worker);
                }
                running.add(warm(side, worker));
            } catch (IOException | RuntimeException e) {
                worker.close();
                throw e;
            }
        } catch (IOException e) {
            if (running.isEmpty()) {
                throw new IOException(side.name() + ": " + e.getMessage(), e);
            }
            leftOut.put(side.name(), e.getMessage());
        }
    }

    private static void requireSame(Case what, Running polder, Side side, Worker worker) {
        long expected = polder.worker().hello().parameters();
        long parameters = worker.hello().parameters();
        if (parameters != expected) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "%s has %,d parameters for %s where %s has %,d: the networks differ, so do their times",
                    side.name(),
                    parameters,
                    what.model(),
                    polder.side().name(),
                    expected));
        }
    }

    /** Standard steps first: until then the peak of memory is theirs. */
    private Running warm(Side side, Worker worker) throws IOException {
        long standardPeak = 0;
        double round = 0;
        for (String step : worker.hello().steps()) {
            List<Worker.Step> warm = worker.make(Collections.nCopies(WARM_UP, step));
            round += warm.get(WARM_UP - 1).ms();
            standardPeak = step.equals(STANDARD) ? worker.peak() : standardPeak;
        }
        int rounds = (int) Math.max(FEWEST_ROUNDS, Math.min(MOST_ROUNDS, plan.seconds() * 1e3 / round));
        List<String> request = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            request.addAll(worker.hello().steps());
        }
        return new Running(side, worker, request, standardPeak, new ArrayList<>());
    }

    private static Map<String, List<Worker.Step>> byName(List<String> request, List<Worker.Step> answer) {
        Map<String, List<Worker.Step>> result = new LinkedHashMap<>();
        for (int i = 0; i < request.size(); i++) {
            result.computeIfAbsent(request.get(i), name -> new ArrayList<>()).add(answer.get(i));
        }
        return result;
    }
}
