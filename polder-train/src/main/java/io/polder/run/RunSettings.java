package io.polder.run;

import io.polder.distributed.Rendezvous;
import io.polder.tensor.Device;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run is told besides its recipe. None of it determines the result, but for the number of threads, which may change the
 * order in which the engine sums.
 *
 * @param threads of the engine, of all workers on this machine together
 * @param data where the images are; empty for those that the recipe names, or that come with Polder
 * @param contents what the images must be, as {@link Contents} says it; empty: whatever is there
 * @param rendezvous of the workers that train together; empty for threads of this process, as many as the recipe has replicas
 * @param version of Polder, {@code gitRevision} of its source, and {@code command} are for the record
 */
public record RunSettings(
        int threads,
        Device device,
        Optional<Path> data,
        Optional<String> contents,
        Optional<Rendezvous> rendezvous,
        String version,
        String gitRevision,
        String command) {
    public RunSettings {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + ": it must be at least 1");
        }
    }

    /** Of a process that trains by itself. */
    public RunSettings(
            int threads,
            Device device,
            Optional<Path> data,
            Optional<String> contents,
            String version,
            String gitRevision,
            String command) {
        this(threads, device, data, contents, Optional.empty(), version, gitRevision, command);
    }

    public RunSettings withThreads(int threads) {
        return new RunSettings(threads, device, data, contents, rendezvous, version, gitRevision, command);
    }

    public RunSettings withRendezvous(Optional<Rendezvous> rendezvous) {
        return new RunSettings(threads, device, data, contents, rendezvous, version, gitRevision, command);
    }
}
