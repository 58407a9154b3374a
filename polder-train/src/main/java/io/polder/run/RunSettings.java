package io.polder.run;

import io.polder.tensor.Device;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run is told besides its recipe. None of it determines the result, but for the number of threads, which may change the
 * order in which the engine sums.
 *
 * @param threads of the engine
 * @param data where the images are; empty for those that the recipe names, or that come with Polder
 * @param contents what the images must be, as {@link Contents} says it; empty: whatever is there
 * @param version of Polder, {@code gitRevision} of its source, and {@code command} are for the record
 */
public record RunSettings(
        int threads,
        Device device,
        Optional<Path> data,
        Optional<String> contents,
        String version,
        String gitRevision,
        String command) {
    public RunSettings {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + ": it must be at least 1");
        }
    }

    public RunSettings withThreads(int threads) {
        return new RunSettings(threads, device, data, contents, version, gitRevision, command);
    }
}
