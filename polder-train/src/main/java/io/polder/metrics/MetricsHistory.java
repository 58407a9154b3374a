package io.polder.metrics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The course of a run so far, in the order it was written.
 *
 * @param steps every n-th, as the log chose; of a very long run fewer, evenly spread
 * @param damagedLines that could not be read and were passed over; a last line still being written is not one of them
 */
public record MetricsHistory(
        List<RunRecord.Step> steps, List<RunRecord.Epoch> epochs, List<RunRecord.Event> events, int damagedLines) {
    /** A hostile or endless file must not fill the memory. */
    static final int MOST = 200_000;

    public MetricsHistory {
        steps = List.copyOf(steps);
        epochs = List.copyOf(epochs);
        events = List.copyOf(events);
    }

    /** Also while the run goes on. A file that is not there is a run that has recorded nothing. */
    public static MetricsHistory read(Path file) throws IOException {
        var follower = new MetricsFollower(file, MOST);
        follower.poll();
        return follower.history();
    }
}
