package io.polder.metrics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Follows a {@code metrics.jsonl} and keeps its history up to date, in bounded memory. Not for several threads. */
public final class MetricsFollower {
    private final MetricsTail tail;
    private final int most;
    private Thinned<RunRecord.Step> steps;
    private Thinned<RunRecord.Epoch> epochs;
    private Deque<RunRecord.Event> events;
    private int damaged;

    /** @param most so many steps, epochs and events each: of steps and epochs evenly spread ones, of events the latest */
    public MetricsFollower(Path file, int most) {
        if (most < 2) {
            throw new IllegalArgumentException("most is " + most + ": it must be at least 2");
        }
        tail = new MetricsTail(file);
        this.most = most;
        forget();
    }

    /** Reads what is new; whether there was anything. */
    public boolean poll() throws IOException {
        boolean changed = false;
        MetricsTail.Update update;
        do {
            update = tail.poll();
            if (update.restarted()) {
                forget();
            }
            damaged += update.damaged();
            update.records().forEach(this::add);
            changed |= update.restarted() || !update.records().isEmpty() || update.damaged() > 0;
        } while (update.more());
        return changed;
    }

    public MetricsHistory history() {
        return new MetricsHistory(steps.list(), epochs.list(), List.copyOf(events), damaged);
    }

    private void forget() {
        steps = new Thinned<>(most);
        epochs = new Thinned<>(most);
        events = new ArrayDeque<>();
        damaged = 0;
    }

    private void add(RunRecord record) {
        if (record instanceof RunRecord.Step step) {
            steps.add(step);
        } else if (record instanceof RunRecord.Epoch epoch) {
            epochs.add(epoch);
        } else if (record instanceof RunRecord.Event event) {
            events.add(event);
            if (events.size() > most) {
                events.removeFirst();
            }
        }
    }
}
