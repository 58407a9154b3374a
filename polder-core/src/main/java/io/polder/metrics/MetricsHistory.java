package io.polder.metrics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The course of a run so far, in the order it was written.
 *
 * @param steps every n-th, as the log chose; of a very long run fewer, evenly spread
 * @param damagedLines that could not be read and were passed over; a last line still being written is not one of them
 */
public record MetricsHistory(
        List<RunRecord.Step> steps, List<RunRecord.Epoch> epochs, List<RunRecord.Event> events, int damagedLines) {
    /** Half of them are dropped when a list grows beyond this: a hostile or endless file must not fill the memory. */
    static final int MOST = 200_000;

    public MetricsHistory {
        steps = List.copyOf(steps);
        epochs = List.copyOf(epochs);
        events = List.copyOf(events);
    }

    /** Also while the run goes on. A file that is not there is a run that has recorded nothing. */
    public static MetricsHistory read(Path file) throws IOException {
        List<RunRecord.Step> steps = new ArrayList<>();
        List<RunRecord.Epoch> epochs = new ArrayList<>();
        List<RunRecord.Event> events = new ArrayList<>();
        int damaged = 0;
        var tail = new MetricsTail(file);
        MetricsTail.Update update;
        do {
            update = tail.poll();
            if (update.restarted()) { // a resume rewrote it meanwhile
                steps.clear();
                epochs.clear();
                events.clear();
                damaged = 0;
            }
            damaged += update.damaged();
            for (RunRecord record : update.records()) {
                if (record instanceof RunRecord.Step step) {
                    add(steps, step);
                } else if (record instanceof RunRecord.Epoch epoch) {
                    add(epochs, epoch);
                } else if (record instanceof RunRecord.Event event) {
                    add(events, event);
                }
            }
        } while (update.more());
        return new MetricsHistory(steps, epochs, events, damaged);
    }

    /** Every other one goes, but never the last. */
    private static <T> void add(List<T> records, T record) {
        records.add(record);
        if (records.size() > MOST) {
            int kept = 0;
            for (int i = records.size() % 2 == 0 ? 1 : 0; i < records.size(); i += 2) {
                records.set(kept++, records.get(i));
            }
            records.subList(kept, records.size()).clear();
        }
    }
}
