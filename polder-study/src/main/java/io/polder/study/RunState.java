package io.polder.study;

import io.polder.metrics.MetricsHistory;
import io.polder.metrics.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How a run stands. A process that was killed cannot say so: its run is stalled when nothing was heard of it for long. */
enum RunState {
    RUNNING("running"),
    FINISHED("finished"),
    STOPPED("stopped"),
    DIVERGED("diverged"),
    FAILED("failed"),
    STALLED("stalled");

    /** A checkpoint or an evaluation takes a while, so does a busy machine. */
    private static final double PATIENCE_SECONDS = 60;

    private static final double PATIENCE_INTERVALS = 10;
    private static final int RECENT = 40;

    private final String text;

    RunState(String text) {
        this.text = text;
    }

    static RunState of(LenientRunInfo facts, MetricsHistory history, Instant now) {
        return switch (facts.get("status").toLowerCase(Locale.ROOT)) {
            case "done", "finished" -> FINISHED;
            case "stopped", "interrupted" -> STOPPED;
            case "diverged" -> DIVERGED;
            case "failed" -> FAILED;
            default -> isStalled(history, now.toEpochMilli() / 1000.0) ? STALLED : RUNNING;
        };
    }

    String text() {
        return text;
    }

    private static boolean isStalled(MetricsHistory history, double now) {
        double last = lastTime(history);
        return now - last > Math.max(PATIENCE_SECONDS, PATIENCE_INTERVALS * usualInterval(history));
    }

    /** NaN where nothing was recorded. */
    static double lastTime(MetricsHistory history) {
        return Stream.of(history.steps(), history.epochs(), history.events())
                .filter(records -> !records.isEmpty())
                .mapToDouble(records -> records.get(records.size() - 1).time())
                .max()
                .orElse(Double.NaN);
    }

    /** The longest of the recent pauses between records, but for one: that may be the night a run was stopped for. */
    private static double usualInterval(MetricsHistory history) {
        List<RunRecord> records = new ArrayList<>();
        records.addAll(newest(history.steps()));
        records.addAll(newest(history.epochs()));
        double[] times = records.stream().mapToDouble(RunRecord::time).sorted().toArray();
        double[] pauses = new double[Math.max(0, times.length - 1)];
        for (int i = 0; i < pauses.length; i++) {
            pauses[i] = times[i + 1] - times[i];
        }
        Arrays.sort(pauses);
        return pauses.length < 2 ? 0 : pauses[pauses.length - 2];
    }

    private static <T> List<T> newest(List<T> records) {
        return records.subList(Math.max(0, records.size() - RECENT), records.size());
    }
}
