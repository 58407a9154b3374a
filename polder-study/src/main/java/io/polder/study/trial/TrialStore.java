package io.polder.study.trial;

import io.polder.files.Reason;
import io.polder.recipe.Recipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The outcomes of trials. A directory rather than a database: it works on any file system that machines share, every trial is a
 * directory already (its recipe, metrics and checkpoints), and nothing has to be locked to read it.
 *
 * <pre>
 * STORE/trials/ID/outcome.json    written whole when the trial has ended, and only then
 *                 claim           locked by the process that runs the trial, for as long as it lives
 *                 attempts        a line for each time it was started
 *                 log             what the process printed
 *                 …               the run: recipe.yaml, metrics.jsonl, checkpoints/
 * </pre>
 *
 * <p>Safe for several threads, processes and machines. An outcome that was read is remembered: it does not change.
 */
public final class TrialStore {
    static final String OUTCOME = "outcome.json";

    private final Path path;
    private final Map<String, TrialOutcome> known = new ConcurrentHashMap<>();

    public TrialStore(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /** Where a trial is run; it may not be there yet. */
    public Path directory(String id) {
        return directory(path, id);
    }

    static Path directory(Path store, String id) {
        return store.resolve("trials").resolve(id);
    }

    /** What became of a trial; empty if it has not ended, or its file is damaged: then it has to be run again. */
    public Optional<TrialOutcome> outcome(String id) {
        TrialOutcome remembered = known.get(id);
        if (remembered != null) {
            return Optional.of(remembered);
        }
        Optional<TrialOutcome> read = read(directory(id));
        // A failure may yet be tried again and replaced.
        read.filter(TrialStore::isFinal).ifPresent(outcome -> known.put(id, outcome));
        return read;
    }

    /** The valid outcome in a trial's directory. */
    static Optional<TrialOutcome> read(Path directory) {
        Path file = directory.resolve(OUTCOME);
        try {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            return Optional.of(OutcomeJson.read(file)).filter(outcome -> directory.endsWith(outcome.id()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Every outcome there is, in the order of their ids. Damaged ones are left out. */
    public List<TrialOutcome> outcomes() throws IOException {
        try (DirectoryStream<Path> trials = Files.newDirectoryStream(path.resolve("trials"))) {
            List<String> ids = StreamSupport.stream(trials.spliterator(), false)
                    .map(trial -> trial.getFileName().toString())
                    .filter(name -> TrialTask.ID.matcher(name).matches())
                    .sorted()
                    .toList();
            return outcomes(ids);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            IOException cause = e instanceof IOException io ? io : ((UncheckedIOException) e).getCause();
            throw new IOException(
                    path + " cannot be read (" + Reason.of(cause) + "): name the directory of a trial store", e);
        }
    }

    /** Those of some trials that there are, read on several threads. */
    public List<TrialOutcome> outcomes(Collection<String> ids) {
        return ids.parallelStream().map(this::outcome).flatMap(Optional::stream).collect(Collectors.toList());
    }

    /**
     * Records that a trial failed, unless another process is at it or has finished it.
     *
     * @return what the store has now; empty if another process is at it
     */
    public Optional<TrialOutcome> recordFailure(String id, Recipe recipe, String reason, int threads)
            throws IOException {
        Path directory = directory(id);
        Files.createDirectories(directory);
        Optional<TrialClaim> claim = TrialClaim.take(directory);
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        try (TrialClaim held = claim.get()) {
            Optional<TrialOutcome> finished = read(directory).filter(TrialStore::isFinal);
            if (finished.isEmpty()) {
                TrialOutcome failure = TrialRecord.outcome(
                        recipe, directory, TrialOutcome.Status.FAILED, reason, Machine.describe(threads, directory));
                OutcomeJson.write(failure, directory.resolve(OUTCOME));
                return Optional.of(failure);
            }
            return finished;
        }
    }

    /** Whether it would be the same another time. A failure may be the machine's, or of data that was not there. */
    public static boolean isFinal(TrialOutcome outcome) {
        return outcome.status() != TrialOutcome.Status.FAILED;
    }

    /** Whether no process is at the trial at this moment. */
    public boolean isFree(String id) throws IOException {
        Path directory = directory(id);
        if (!Files.isDirectory(directory)) {
            return true;
        }
        Optional<TrialClaim> claim = TrialClaim.take(directory);
        if (claim.isPresent()) {
            claim.get().close();
        }
        return claim.isPresent();
    }
}
