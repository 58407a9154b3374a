package io.polder.study.trial;

import io.polder.tensor.Device;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One attempt at a trial, with all that another process or machine needs to run it.
 *
 * @param id what names the trial: {@link TrialIds}
 * @param recipe the resolved recipe as YAML
 * @param store the directory of the trial store, as the machine that runs the trial sees it
 * @param data where the data set is; empty: where the recipe says, or bundled
 * @param contents what the data must be; empty if it is bundled
 * @param threads of the engine
 * @param device by its name on the machine that runs the trial: which one {@value Device#AUTO} is, that machine knows
 * @param attempt 1 the first time
 */
public record TrialTask(
        String id, String recipe, String store, String data, String contents, int threads, String device, int attempt)
        implements Serializable {
    static final Pattern ID = Pattern.compile("[0-9a-f]{64}");
    private static final int MOST_THREADS = 1024;

    public TrialTask {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("id is '" + id + "': it must be 64 hexadecimal digits");
        }
        Objects.requireNonNull(recipe, "recipe");
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(contents, "contents");
        if (store.isBlank()) {
            throw new IllegalArgumentException("store is blank: it must be a directory");
        }
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("threads is " + threads + ": it must be from 1 to " + MOST_THREADS);
        }
        Device.requireName(device);
        if (attempt < 1) {
            throw new IllegalArgumentException("attempt is " + attempt + ": it must be at least 1");
        }
    }

    /** Where the trial is run and its {@code outcome.json} goes. */
    public Path directory() {
        return TrialStore.directory(Path.of(store), id);
    }
}
