package io.polder.study.trial;

import io.polder.files.Reason;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.run.Contents;
import io.polder.run.DamagedRunException;
import io.polder.run.RunSettings;
import io.polder.tensor.Device;
import io.polder.train.NotEnoughMemoryException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The process that runs one trial. It claims the trial's directory, trains, and writes {@code outcome.json} before it lets go of the
 * claim. It ends in good order, with its state saved, when it is sent a signal and when its standard input closes: that is how it learns
 * that whoever started it is no more.
 *
 * <p>Not for people: {@link TrialProcess} starts it, with the recipe on its standard input.
 */
final class TrialMain {
    /** The outcome is in the store. */
    static final int FINISHED = 0;

    /** Trying again would give the same error. */
    static final int REFUSED = 1;

    /** The state is saved. */
    static final int STOPPED = 3;

    /** Another process has the trial. */
    static final int BUSY = 4;

    /** Memory ran out: it may be better another time. */
    static final int OUT_OF_MEMORY = 5;

    /** The disk is full, or cannot be written to. */
    static final int UNSAVED = 6;

    /** What lines about errors begin with. */
    static final String ERROR = "polder: ";

    /** What lines begin with that are no errors, but that whoever started the trial should hear. */
    static final String NOTE = "polder note: ";

    /** YAML's own mark for the end of a document. */
    static final String END_OF_RECIPE = "...";

    private static final String CHECKPOINTS = "checkpoints";
    private static final int LONGEST_RECIPE = 1 << 20;

    private final TrialTraining training;
    private final Consumer<String> notes;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** @param notes takes sentences that whoever started the trial should hear */
    TrialMain(TrialTraining training, Consumer<String> notes) {
        this.training = training;
        this.notes = notes;
    }

    public static void main(String[] arguments) {
        run(arguments, new RunTraining(System.err::println));
    }

    /** Ends the process. */
    static void run(String[] arguments, TrialTraining training) {
        var main = new TrialMain(training, sentence -> System.err.println(NOTE + sentence));
        Runtime.getRuntime().addShutdownHook(new Thread(main::stopInOrder));
        int code;
        try {
            code = main.attempt(Arguments.of(arguments));
        } catch (IOException | RuntimeException | Error e) {
            code = codeFor(e);
            String message = e.getMessage() == null ? e.toString() : e.getMessage();
            complain(code == OUT_OF_MEMORY ? "memory ran out: " + message : message, e);
        } finally {
            main.ended.countDown();
        }
        System.exit(code);
    }

    /** What the machine lacks is not the trial's fault. */
    private static int codeFor(Throwable e) {
        if (Reason.isNoRoom(e)) {
            return UNSAVED;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError
                    || NotEnoughMemoryException.sentence(cause).isPresent()) {
                return OUT_OF_MEMORY;
            }
        }
        return REFUSED;
    }

    private void stopInOrder() {
        stop.set(true);
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void complain(String sentence, Throwable cause) {
        PrintStream log = System.err;
        cause.printStackTrace(log);
        log.println(ERROR + sentence.lines().findFirst().orElse(""));
        log.flush();
    }

    /** What {@link TrialProcess} says on the command line. */
    record Arguments(Path directory, int threads, String device, Optional<String> contents, Optional<Path> data) {
        static Arguments of(String[] words) {
            if (words.length != 5) {
                throw new IllegalArgumentException(
                        "a trial takes a directory, a number of threads, a device, what its data is and where that is");
            }
            return new Arguments(
                    Path.of(words[0]),
                    Integer.parseInt(words[1]),
                    words[2],
                    Optional.of(words[3]).filter(contents -> !contents.isEmpty()),
                    Optional.of(words[4]).filter(data -> !data.isEmpty()).map(Path::of));
        }
    }

    static List<String> arguments(TrialTask task) {
        return List.of(
                task.directory().toString(),
                Integer.toString(task.threads()),
                task.device(),
                task.contents(),
                task.data());
    }

    private int attempt(Arguments arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Recipe recipe = RecipeReader.read(recipe(input), "the recipe of the trial", List.of());
        Path directory = arguments.directory();
        String id = TrialIds.id(recipe, arguments.contents().orElse(""), Contents.ofFiles(recipe.model()));
        if (!directory.endsWith(id)) {
            throw new IOException(directory + " is not for this trial, which is " + id
                    + " here: coordinator and worker must be of the same version and have the same files");
        }
        stopAtTheEndOf(input);
        return bringToItsEnd(recipe, arguments);
    }

    /** Unless another process is at it, or has done so. */
    int bringToItsEnd(Recipe recipe, Arguments arguments) throws IOException {
        Path directory = arguments.directory();
        Files.createDirectories(directory);
        Optional<TrialClaim> claim = TrialClaim.take(directory);
        if (claim.isEmpty()) {
            return BUSY;
        }
        try (TrialClaim held = claim.get()) {
            // Of one that is damaged whoever wants the trial has been told.
            return TrialStore.read(directory, complaint -> {})
                            .filter(TrialStore::isFinal)
                            .isPresent()
                    ? FINISHED
                    : train(recipe, arguments);
        }
    }

    private int train(Recipe recipe, Arguments arguments) throws IOException {
        Path directory = arguments.directory();
        Attempts.add(directory, Instant.now(), notes);
        int code;
        try {
            code = trainAndRecord(recipe, arguments);
        } catch (DamagedRunException e) {
            notes.accept(e.fact() + ": what there was is in " + SetAside.run(directory)
                    + ", and the trial was trained from its beginning");
            code = trainAndRecord(recipe, arguments);
        }
        if (code == FINISHED && recipe.data().evaluateOn() == EvaluateOn.VALIDATION) {
            // A search leaves dozens of networks that nobody will use.
            deleteBelow(directory.resolve(CHECKPOINTS));
        }
        return code;
    }

    private int trainAndRecord(Recipe recipe, Arguments arguments) throws IOException {
        Path directory = arguments.directory();
        TrialTraining.Ending ending = trained(recipe, arguments);
        if (ending instanceof TrialTraining.Ending.Stopped) {
            return STOPPED;
        }
        if (ending instanceof TrialTraining.Ending.Unsaved unsaved) {
            complain(unsaved.cause().getMessage(), unsaved.cause());
            return UNSAVED;
        }
        String reason = ending instanceof TrialTraining.Ending.Diverged diverged ? diverged.reason() : "";
        TrialOutcome.Status status = reason.isEmpty() ? TrialOutcome.Status.DONE : TrialOutcome.Status.DIVERGED;
        String machine = TrialMachine.thatTrained(directory, arguments.threads());
        TrialStore.write(TrialRecord.outcome(recipe, directory, status, reason, machine, notes), directory);
        return FINISHED;
    }

    private TrialTraining.Ending trained(Recipe recipe, Arguments arguments) throws IOException {
        TrialTraining.Ending ending = training.train(recipe, arguments.directory(), settings(arguments), stop::get);
        if (ending instanceof TrialTraining.Ending.Done done) {
            TrialRecord.requireEpochs(arguments.directory(), done.epochs());
        }
        return ending;
    }

    private static RunSettings settings(Arguments arguments) {
        return new RunSettings(
                arguments.threads(),
                Device.parse(arguments.device()),
                arguments.data(),
                arguments.contents(),
                System.getProperty(TrialCommand.VERSION, ""),
                "",
                "./polder study");
    }

    private static void deleteBelow(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println(directory + " could not be deleted: " + e.getMessage());
        }
    }

    private static String recipe(BufferedReader input) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals(END_OF_RECIPE)) {
                return text.toString();
            }
            text.append(line).append('\n');
            if (text.length() > LONGEST_RECIPE) {
                break;
            }
        }
        throw new IOException("no whole recipe came on standard input: trials are started by ./polder study");
    }

    /** Whoever started this process keeps its standard input open for as long as it lives. */
    private void stopAtTheEndOf(BufferedReader input) {
        var watch = new Thread(() -> {
            try {
                while (input.read() >= 0) {
                    // Nothing is expected: only the end counts.
                }
            } catch (IOException e) {
                // As good as the end.
            }
            stop.set(true);
        });
        watch.setDaemon(true);
        watch.setName("polder-parent");
        watch.start();
    }
}
