package io.polder.study.trial;

import io.polder.files.Reason;
import io.polder.recipe.Recipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
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
 *                 damaged-N       a run that was damaged and could not be gone on with: whoever is done with it may delete it
 *                 …               the run: recipe.yaml, metrics.jsonl, checkpoints/
 * </pre>
 *
 * <p>Safe for several threads, processes and machines. An outcome that was read is remembered: it does not change.
 */
public final class TrialStore {
    static final String OUTCOME = "outcome.json";

    private final Path path;
    private final Map<String, TrialOutcome> known = new ConcurrentHashMap<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Set<String> said = ConcurrentHashMap.newKeySet();

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

    /** What became of a trial; empty if it has not ended, or its file is damaged: then there is a complaint, and it has to be run again. */
    public Optional<TrialOutcome> outcome(String id) {
        TrialOutcome remembered = known.get(id);
        if (remembered != null) {
            return Optional.of(remembered);
        }
        Optional<TrialOutcome> read = read(directory(id), this::complain);
        // A failure may yet be tried again and replaced.
        read.filter(TrialStore::isFinal).ifPresent(outcome -> known.put(id, outcome));
        return read;
    }

    /**
     * What was found damaged since this was last asked, a sentence with the file each. Nothing is said twice.
     *
     * <p>Asked for and not thrown: one bad file of one trial must not end what is done with all the others.
     */
    public List<String> complaints() {
        List<String> news = new ArrayList<>();
        for (String next = complaints.poll(); next != null; next = complaints.poll()) {
            news.add(next);
        }
        return news;
    }

    private void complain(String sentence) {
        if (said.add(sentence)) {
            complaints.add(sentence);
        }
    }

    /**
     * The valid outcome in a trial's directory.
     *
     * @param complaints takes a sentence if there is one that is not valid
     */
    static Optional<TrialOutcome> read(Path directory, Consumer<String> complaints) {
        Path file = directory.resolve(OUTCOME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            TrialOutcome outcome = OutcomeJson.read(file);
            if (directory.endsWith(outcome.id())) {
                return Optional.of(outcome);
            }
            complaints.accept(file + " is the outcome of another trial, " + outcome.id() + ": it counts as none");
        } catch (IOException e) {
            complaints.accept(e.getMessage());
        }
        return Optional.empty();
    }

    static void write(TrialOutcome outcome, Path directory) throws IOException {
        SetAside.ifDirectory(directory.resolve(OUTCOME));
        OutcomeJson.write(outcome, directory.resolve(OUTCOME));
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
     * Records that a trial failed, unless another process is at it or has finished it. Where it cannot be recorded, that is a complaint:
     * the trial has failed all the same.
     *
     * @return what the store has now; empty if another process is at it
     */
    public Optional<TrialOutcome> recordFailure(String id, Recipe recipe, String reason, int threads) {
        Path directory = directory(id);
        TrialOutcome failure = TrialRecord.failure(
                recipe, directory, reason, TrialMachine.thatTried(directory, threads), this::complain);
        try {
            Files.createDirectories(directory);
            Optional<TrialClaim> claim = TrialClaim.take(directory);
            if (claim.isEmpty()) {
                return Optional.empty();
            }
            try (TrialClaim held = claim.get()) {
                Optional<TrialOutcome> finished =
                        read(directory, this::complain).filter(TrialStore::isFinal);
                if (finished.isPresent()) {
                    return finished;
                }
                write(failure, directory);
            }
        } catch (IOException e) {
            complain("the failure of the trial in " + directory + " is not recorded (" + Reason.of(e)
                    + "): it will be tried again");
        }
        return Optional.of(failure);
    }

    /** Whether it would be the same another time. A failure may be the machine's, or of data that was not there. */
    public static boolean isFinal(TrialOutcome outcome) {
        return outcome.status() != TrialOutcome.Status.FAILED;
    }

    /** Whether no process is at the trial at this moment. One that nobody can claim is: whoever tries to run it will be told why. */
    public boolean isFree(String id) {
        Path directory = directory(id);
        if (!Files.isDirectory(directory)) {
            return true;
        }
        try {
            Optional<TrialClaim> claim = TrialClaim.take(directory);
            if (claim.isPresent()) {
                claim.get().close();
            }
            return claim.isPresent();
        } catch (IOException e) {
            return true;
        }
    }
}
